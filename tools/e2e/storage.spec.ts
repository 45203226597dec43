import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { storageRoutes } from '@matterdesk/contract/storage.ts';
import { createClient } from '@matterdesk/server/testing/client.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { sendFile } from '@matterdesk/server/testing/uploads.ts';
import { expectAccessible } from './support/expect.ts';
import { test, type Firm, type Person } from './support/fixtures.ts';
import { openTab } from './support/matters.ts';

/** A megabyte. */
test.use({ environment: { MAX_STORAGE_GB: '0.001' } });

/** A firm with a matter, and nothing stored yet. */
async function openFirm(matterdesk: Firm) {
  const admin = await matterdesk.register({ role: 'admin', firstName: 'Ama', lastName: 'Owusu' });
  const { token } = admin;
  const opened = await matterdesk.call(caseRoutes.openCase, { token, body: newCase() });
  const { people } = await matterdesk.call(storageRoutes.readStorage, { token });
  expect(people).toEqual([]);
  return { admin, caseId: opened.case.id };
}

async function send(matterdesk: Firm, { token }: Person, caseId: string, kilobytes: number) {
  const file = { name: `${kilobytes}.bin`, bytes: Buffer.alloc(kilobytes * 1000, 'x') };
  const reply = await sendFile(
    createClient(matterdesk.url),
    { token, caseId, folder: 'Files' },
    file,
  );
  expect(reply.status).toBe(201);
}

function remove(matterdesk: Firm, { token }: Person, caseId: string, kilobytes: number) {
  const params = { caseId, folder: 'Files', name: `${kilobytes}.bin` };
  return matterdesk.call(fileRoutes.deleteFile, { token, params });
}

async function emptyTrash(page: Page) {
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByText('The trash is empty.')).toBeVisible();
}

test('the storage page shows who stores what and the room left, and empties the trash', async ({
  matterdesk,
  page,
}) => {
  const { admin, caseId } = await openFirm(matterdesk);
  const user = await matterdesk.register({ firstName: 'Ben', lastName: 'Adeyemi' });
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Storage' }).click();
  await expect(page.getByText('Nothing stored yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Conflict checks' })).toBeVisible();
  await send(matterdesk, admin, caseId, 500);
  await send(matterdesk, user, caseId, 420);
  await remove(matterdesk, user, caseId, 420);

  // From a tenth on, every page of an admin says so.
  await page.goto('/dashboard/users');
  await page.getByRole('link', { name: 'Free up space' }).click();
  await expect(page.getByText('920 kB of 1 MB used')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Free up space' })).toBeHidden();
  await expect(page.getByRole('definition')).toHaveText(['500 kB', '420 kB', '80 kB']);
  await expect(page.getByRole('row')).toContainText([
    'Used',
    /Ama Owusu.*500 kB/,
    /Ben Adeyemi.*420 kB/,
  ]);

  await page.goto(`/dashboard/caseDetails/${caseId}`);
  await openTab(page, 'Files');
  await page.getByRole('button', { name: /^Files/ }).click();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(200_000) });
  await expect(page.getByText(/^The storage is full: ask .+ to make room$/)).toBeVisible();

  await page.goto('/dashboard/storage');
  await emptyTrash(page);
  await expect(page.getByText('500 kB of 1 MB used')).toBeVisible();
  await page.getByRole('link', { name: 'Record' }).click();
  await expect(page.getByText('Trash emptied').first()).toBeVisible();
  await expect(page.getByText('1 file, 420 kB').first()).toBeVisible();
  await remove(matterdesk, admin, caseId, 500);
  await page.goto('/dashboard/storage');
  await emptyTrash(page);
});

test('the storage page counts the conflict checks that wait', async ({ matterdesk, page }) => {
  const { admin } = await openFirm(matterdesk);
  await matterdesk.signIn(page, admin);
  let waiting = { cases: 6400, names: 1 };
  await page.route('**/api/v1/storage', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { body?: object };
    await route.fulfill({ response: reply, json: { ...body, body: { ...body.body, waiting } } });
  });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Storage' }).click();
  await expect(
    page.getByText('6,400 new matters and 1 new name wait for a conflict check.'),
  ).toBeVisible();
  waiting = { cases: 0, names: 0 };
  await page.reload();
  await expect(page.getByText('All new matters and names are checked.')).toBeVisible();
});

for (const [colorScheme, where] of [
  ['light', ''],
  ['dark', ' @phone'],
] as const)
  test(`the storage is accessible, ${colorScheme}${where}`, async ({ matterdesk, page }) => {
    const { admin, caseId } = await openFirm(matterdesk);
    await send(matterdesk, admin, caseId, 950);
    await remove(matterdesk, admin, caseId, 950);
    await page.emulateMedia({ colorScheme });
    await matterdesk.signIn(page, admin);
    await page.route('**/api/v1/storage', (route) => route.abort());
    await page.goto('/dashboard/storage');
    await expect(page.getByText('Couldn’t load the storage')).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/v1/storage');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Ama Owusu').last()).toBeVisible();
    await expectAccessible(page);
    await emptyTrash(page);
  });
