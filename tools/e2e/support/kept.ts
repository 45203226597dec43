import { expect, type Page } from '@playwright/test';

/** Waits until the browser has kept something in a store, which it does a moment after it shows. */
export async function expectKept(page: Page, store: string, what: RegExp): Promise<void> {
  const read = () => page.evaluate((key) => localStorage.getItem(key), `redux-${store}`);
  await expect.poll(read).toMatch(what);
}
