import { expect } from '@playwright/test';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { test } from './support/connected.ts';
import { toast } from './support/expect.ts';
import { addContact, contacts, openCaseOf, openMessages, outsider } from './support/texting.ts';

test('dropped files are filed in the chosen case', async ({ matterdesk, page }) => {
  const texter = await openMessages(matterdesk, page);
  const { caseId, caseName } = await openCaseOf(matterdesk, texter, {
    phoneNumber: outsider().typed,
  });
  const aside = page.getByRole('complementary', { name: 'Files and today' });
  await page.setInputFiles('input[type=file]', [
    { name: 'bill.txt', mimeType: 'text/plain', buffer: Buffer.from('bill') },
    { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('note') },
  ]);
  await expect(aside.getByText('Choose a case for 2 files.')).toBeVisible();
  await aside.getByRole('combobox', { name: 'Case of the files' }).click();
  await page.keyboard.type(caseName);
  await page.getByRole('option', { name: caseName }).click();
  await aside.getByRole('combobox', { name: 'Folder of the files' }).click();
  await page.keyboard.type('From clients');
  await page.getByRole('option', { name: 'New folder “From clients”' }).click();
  await aside.getByRole('button', { name: 'Upload 2 files' }).click();
  await expect(toast(page, '2 files uploaded')).toBeVisible();
  const { files } = await matterdesk.call(fileRoutes.listFiles, {
    token: texter.token,
    params: { caseId },
  });
  expect(files['From clients']).toHaveLength(2);
  await expect(aside.getByText('Nothing is due today.')).toBeVisible();
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'));
  await matterdesk.call(calendarRoutes.addEvent, {
    token: texter.token,
    body: newEvent({ title: 'Call the adjuster', start: today, end: today }),
  });
  await expect(aside.getByRole('link', { name: 'Call the adjuster' })).toBeVisible();
  await aside.getByRole('link', { name: 'Full Calendar' }).click();
  await expect(page).toHaveURL(/\/dashboard\/calender$/);
});

test('files wait with their conversation, whatever is dropped after them', async ({
  matterdesk,
  page,
}) => {
  const texter = await openMessages(matterdesk, page);
  const { caseId, caseName } = await openCaseOf(matterdesk, texter, {
    phoneNumber: outsider().typed,
  });
  const aside = page.getByRole('complementary', { name: 'Files and today' });
  const zone = aside.getByRole('button', { name: 'Upload anything' });
  const add = (name: string) =>
    page.setInputFiles('input[type=file]', {
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    });
  const [first, second] = [outsider().typed, outsider().typed];
  await addContact(page, first);
  await add('first.txt');
  await expect(aside.getByText('Choose a case for 1 file.')).toBeVisible();
  await aside.getByRole('combobox', { name: 'Case of the files' }).click();
  await page.keyboard.type(caseName);
  await page.getByRole('option', { name: caseName }).click();
  await expect(zone).toContainText(`Save to ${caseName}`);
  await add('second.txt');
  await expect(toast(page, 'File uploaded')).toBeVisible();
  await expect(aside.getByText('1 file ready to be filed.')).toBeVisible();
  await addContact(page, second);
  await expect(zone).toContainText('Choose a case');
  await expect(aside.getByText('1 file ready to be filed.')).toBeHidden();
  await contacts(page).getByRole('option').filter({ hasText: first }).click();
  await aside.getByRole('button', { name: 'Upload 1 file' }).click();
  const asked = { token: texter.token, params: { caseId } };
  await expect
    .poll(async () => {
      const { files } = await matterdesk.call(fileRoutes.listFiles, asked);
      return Object.values(files).flat();
    })
    .toHaveLength(2);
});
