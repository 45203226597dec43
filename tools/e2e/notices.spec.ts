import { expect } from '@playwright/test';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { newDeadline } from '@matterdesk/server/testing/factories.ts';
import { inDays } from './support/days.ts';
import { expectAccessible } from './support/expect.ts';
import { test } from './support/fixtures.ts';

/** A round of the server, on a slow machine. */
const ROUND = { timeout: 60_000 };

test('the bell counts warnings as they come, and leads to their deadlines', async ({
  page,
  matterdesk,
}) => {
  const owner = await matterdesk.register();
  const second = await matterdesk.register();
  await matterdesk.signIn(page, owner);
  await page.goto('/dashboard/matters');
  const bell = page.getByRole('button', { name: /^Notices/ });
  await bell.click();
  const list = page.getByRole('dialog', { name: 'Notices' });
  await expect(list.getByText('Reminders of events and warnings')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await matterdesk.call(deadlineRoutes.addDeadline, {
    token: owner.token,
    body: newDeadline({
      title: 'Reply brief',
      hard: true,
      date: inDays(12),
      owner: owner.id,
      second: second.id,
    }),
  });
  await expect(bell).toHaveAccessibleName('Notices, 1 new', ROUND);
  await bell.click();
  await expect(list.getByText('Reply brief is due in')).toBeVisible();
  await expectAccessible(page);
  await list.getByRole('button', { name: /^New: Reply brief/ }).click();
  await expect(page.getByRole('complementary', { name: 'Deadline' })).toBeVisible();
  await expect(bell).toHaveAccessibleName('Notices');
});

test('the bell lets a warning rest once a colleague has completed its deadline', async ({
  page,
  matterdesk,
}) => {
  const owner = await matterdesk.register();
  const { token } = await matterdesk.register({ role: 'admin' });
  await matterdesk.signIn(page, owner);
  await page.goto('/dashboard/matters');
  const { id } = await matterdesk.call(deadlineRoutes.addDeadline, {
    token: owner.token,
    body: newDeadline({ title: 'Reply', hard: false, date: inDays(2), owner: owner.id }),
  });
  const bell = page.getByRole('button', { name: /^Notices/ });
  await expect(bell).toHaveAccessibleName('Notices, 1 new', ROUND);
  const body = { action: 'complete', reason: 'Filed' } as const;
  await matterdesk.call(deadlineRoutes.proposeChange, { token, params: { id }, body });
  await expect(bell).toHaveAccessibleName('Notices');
});

test('a notice is under More on a phone', { tag: '@phone' }, async ({ page, matterdesk }) => {
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard/matters');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Notices' }).click();
  await expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible();
});
