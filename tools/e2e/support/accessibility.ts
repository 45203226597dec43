// What browser tests share: the product, people, mailboxes, lines.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Holds the page, as it stands, to WCAG 2.2 AA. With a popup open the page behind it is hidden from
 * assistive technology and may still take focus for a moment: pass the popup's selector as `within`.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  if (within !== undefined) await expect(page.locator(within)).toBeVisible();
  // Only what is violated is told, and within the page: a second page to put parts together takes as long again.
  const rules = new AxeBuilder({ page })
    .options({ runOnly: wcag22aa, resultTypes: ['violations'] })
    .setLegacyMode();
  // A frame that runs no script cannot be asked, and what a stranger writes there is not ours.
  const whole = rules.exclude('iframe[sandbox]');
  const { violations } = await (within === undefined ? whole : whole.include(within)).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
    ),
  );
  expect(found).toEqual([]);
}
