import { VariablesSchema } from '@matterdesk/server/config.variables.ts';
import { inRounds } from './comparison.ts';
import { HttpClient, type Ask } from './http-client.ts';
import type { Load } from './load.ts';
import { startProduct } from './product.ts';
import type { Samples } from './samples.ts';
import type { Scenario } from './scenarios.ts';
import { signInAdmins } from './sign-in.ts';

/** The same mixed load on one process and on two. */
export type MixedLoad = { one: Samples; two: Samples };

/** Requests of each kind in twenty. */
const SHARES: Record<string, number> = {
  'list page of 50': 6,
  'search, a name': 2,
  'board of a case': 4,
  'single case': 4,
  'create a case': 1,
  'create a task': 1,
  'move a card': 2,
};

/** The product must not run yet. @returns undefined when the product knows no PROCESSES */
export async function measureMixedLoad(
  dataDir: string,
  scenarios: Scenario[],
  load: Load,
): Promise<MixedLoad | undefined> {
  if (!('PROCESSES' in VariablesSchema.shape)) return undefined;
  const cycle = scenarios.flatMap(({ name, request }) =>
    Array.from({ length: SHARES[name] ?? 0 }, () => request),
  );
  // Writes of all rounds must differ, also from those before.
  let n = 1_000_000;
  const next = () => cycle[(n += 1) % cycle.length]?.(n) ?? { path: '/' };
  const on = (processes: number) => measureOn({ dataDir, processes, next, load });
  return { one: await on(1), two: await on(2) };
}

type Run = { dataDir: string; processes: number; next: () => Ask; load: Load };

async function measureOn({ dataDir, processes, next, load }: Run): Promise<Samples> {
  const product = await startProduct(dataDir, { PROCESSES: String(processes) });
  try {
    const tokens = await signInAdmins(product.port, load.clients);
    const client = new HttpClient(product.port, load.clients, tokens);
    const [found] = await inRounds(load, [{ share: 2, call: () => client.ask(next()) }]);
    client.close();
    return found;
  } finally {
    await product.stop();
  }
}
