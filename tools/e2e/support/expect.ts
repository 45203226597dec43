import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

/** Waits until the browser has saved a store, shortly after showing the change. */
export async function expectKept(page: Page, store: string, what: RegExp): Promise<void> {
  const read = () => page.evaluate((key) => localStorage.getItem(key), `redux-${store}`);
  await expect.poll(read).toMatch(what);
}

/** A message at the top right, which disappears by itself. */
export function toast(page: Page, text: string, options?: { exact: boolean }): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text, options);
}

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Checks the page against WCAG 2.2 AA. With an open popup the page behind it is hidden from
 * assistive technology and may still take focus for a moment: pass the popup's selector as `within`.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  if (within !== undefined) await expect(page.locator(within)).toBeVisible();
  // Violations only, and within the page: merging results in a second page would double the time.
  const rules = new AxeBuilder({ page })
    .options({ runOnly: wcag22aa, resultTypes: ['violations'] })
    .setLegacyMode();
  // A frame without scripts cannot be checked, and its content is not ours.
  const whole = rules.exclude('iframe[sandbox]');
  const { violations } = await (within === undefined ? whole : whole.include(within)).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
    ),
  );
  expect(found).toEqual([]);
}
