import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts';

type Prepare = (app: TestApp) => Promise<object>;
type Prepared<T extends Record<string, Prepare>> = {
  [Name in keyof T]: Awaited<ReturnType<T[Name]>>;
};

/**
 * An application for all tests of a file, and what they share in it, such as people, prepared in the given order.
 * All of it is empty until the first hook or test runs, and the application closes after the last.
 */
export function suite<T extends Record<string, Prepare>>(
  prepare: T,
  options?: TestAppOptions,
): Prepared<T> & { app: TestApp } {
  const app = {} as TestApp;
  const prepared = Object.fromEntries(Object.keys(prepare).map((name) => [name, {}]));
  beforeAll(async () => {
    Object.assign(app, await startTestApp(options));
    for (const [name, fill] of Object.entries(prepare))
      Object.assign(prepared[name] ?? {}, await fill(app));
  });
  afterAll(() => app.close());
  return { ...(prepared as Prepared<T>), app };
}
