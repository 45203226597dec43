import { expect } from '@playwright/test';
import { alertRoutes } from '@matterdesk/contract/conflicts.ts';
import { unique } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { openCase } from './support/matters.ts';

/** A product of its own: names of other tests would be compared first, at a pace that leaves the processor to those served. */
test.use({ environment: { LOG_LEVEL: 'warn' } });

const person = {
  name: 'Balthazar Wrenleigh',
  phoneNumber: '+1 518 555 0101',
  email: 'balthazar@party.example',
  address: 'The house of Wrenleigh',
};

test('a new name that meets another one appears by itself, and leaves the list once it is decided', async ({
  matterdesk,
  page,
}) => {
  // Two rounds of the server.
  test.setTimeout(180_000);
  const admin = await matterdesk.register({ role: 'admin' });
  await openCase(matterdesk, admin, { caseName: 'Balthazar v. Quarterly', clientInfo: person });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/conflicts');
  await expect(page.getByRole('heading', { name: 'Conflict checks' })).toBeVisible();
  const opposingCounselInfo = { ...person, organization: 'Wrenleigh LLP' };
  await openCase(matterdesk, admin, { caseName: 'The later one', opposingCounselInfo });
  const waiting = page.getByRole('region', { name: 'New names that match others' });
  const alert = waiting.getByRole('listitem').filter({ hasText: 'Balthazar Wrenleigh' }).first();
  // New names are compared every twenty seconds.
  await expect(alert).toBeVisible({ timeout: 90_000 });
  await expect(alert).toContainText('Meets Balthazar Wrenleigh');
  await expectAccessible(page);
  const [name = '', reasonOfHit = ''] = await alert.getByRole('paragraph').allInnerTexts();
  await expect(waiting.getByRole('textbox')).toHaveCount(0);
  await alert.getByRole('button', { name: 'Decide about Balthazar Wrenleigh' }).click();
  await expect(waiting.getByRole('textbox')).toHaveCount(1);
  const reason = `Two people of one name, ${unique()}`;
  await alert.getByLabel('Reason of the decision').fill(reason);
  await expect(alert.getByRole('button', { name: 'Save' })).toBeDisabled();
  await alert.getByLabel('Decision about the alert').selectOption('No conflict');
  await expectAccessible(page);
  const isDirect = (await alert.getByText('Direct').count()) > 0;
  await alert.getByRole('button', { name: 'Save' }).click();
  if (isDirect)
    await page.getByRole('alertdialog').getByRole('button', { name: 'No conflict' }).click();
  // Others of the same matter may have arrived meanwhile.
  const left = waiting.getByRole('listitem').filter({ hasText: name });
  await expect(left.filter({ hasText: reasonOfHit })).toHaveCount(0);
  const query = { decided: '1' } as const;
  const { alerts } = await matterdesk.call(alertRoutes.listAlerts, { token: admin.token, query });
  expect(alerts.map(({ decision }) => decision)).toContainEqual(
    expect.objectContaining({ decision: 'noConflict', reason }),
  );
});
