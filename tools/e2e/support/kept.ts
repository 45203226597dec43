import { expect, type Page } from '@playwright/test';

/** Waits until the browser has saved a store, shortly after showing the change. */
export async function expectKept(page: Page, store: string, what: RegExp): Promise<void> {
  const read = () => page.evaluate((key) => localStorage.getItem(key), `redux-${store}`);
  await expect.poll(read).toMatch(what);
}
