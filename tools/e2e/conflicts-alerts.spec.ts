import { expect } from '@playwright/test';
import { alertRoutes } from '@matterdesk/contract/conflicts.ts';
import { unique } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';
import { openCase } from './support/matters.ts';

/** A product of its own: names of other tests would be compared first, at a pace that leaves the processor to those served. */
test.use({ environment: { LOG_LEVEL: 'warn' } });

const name = 'Balthazar Wrenleigh';
const client = {
  name,
  phoneNumber: '+1 518 555 0101',
  email: 'balthazar@party.example',
  address: 'The house of Wrenleigh',
};
/** The same name, and nothing else the same. */
const counsel = {
  name,
  organization: 'Tarrant & Weatherby',
  phoneNumber: '+1 212 555 0199',
  email: 'office@counsel.example',
  address: '5 Elm Street, Albany',
};

test('a new name that matches another one appears by itself, and leaves the list once it is decided', async ({
  matterdesk,
  page,
}) => {
  // Two rounds of the server.
  test.setTimeout(180_000);
  const admin = await matterdesk.register({ role: 'admin' });
  await openCase(matterdesk, admin, { caseName: 'Balthazar v. Quarterly', clientInfo: client });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/conflicts');
  await expect(page.getByRole('heading', { name: 'Conflict checks' })).toBeVisible();
  await openCase(matterdesk, admin, { caseName: 'The later one', opposingCounselInfo: counsel });
  const waiting = page.getByRole('region', { name: 'New names that match others' });
  const alert = waiting.getByRole('listitem').filter({ hasText: `${name}, new in The later one` });
  // New names are compared every twenty seconds.
  await expect(alert).toBeVisible({ timeout: 90_000 });
  await expect(alert).toContainText(`Matches ${name}`);
  await expectAccessible(page);
  await expect(waiting.getByRole('textbox')).toHaveCount(0);
  await alert.getByRole('button', { name: `Decide about ${name}` }).click();
  await expect(waiting.getByRole('textbox')).toHaveCount(1);
  await expect(alert.getByLabel('Decision about the alert')).toBeFocused();
  const reason = `Two people of one name, ${unique()}`;
  await alert.getByLabel('Reason of the decision').fill(reason);
  // Whatever hides the form keeps its text.
  await page.reload();
  await alert.getByRole('button', { name: `Decide about ${name}` }).click();
  await expect(alert.getByLabel('Reason of the decision')).toHaveValue(reason);
  await expect(alert.getByRole('button', { name: 'Save' })).toBeDisabled();
  await alert.getByLabel('Decision about the alert').selectOption('No conflict');
  await expectAccessible(page);
  const isDirect = (await alert.getByText('Direct').count()) > 0;
  await alert.getByRole('button', { name: 'Save' }).click();
  if (isDirect)
    await page.getByRole('alertdialog').getByRole('button', { name: 'No conflict' }).click();
  await expect(alert).toHaveCount(0);
  const query = { decided: '1' } as const;
  const { alerts } = await matterdesk.call(alertRoutes.listAlerts, { token: admin.token, query });
  expect(alerts.map(({ decision }) => decision)).toContainEqual(
    expect.objectContaining({ decision: 'noConflict', reason }),
  );
});
