import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible, toast } from './support/expect.ts';
import { type Firm, holdRequests, test } from './support/fixtures.ts';
import { openTab } from './support/matters.ts';

// A worker may come back to this file after its hooks ran, so each directory is removed by itself.
const made: string[] = [];
test.afterAll(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

test('a directory from the desktop keeps its order as folders', async ({ matterdesk, page }) => {
  const { listed } = await openCase(matterdesk, page, 'Pleadings');
  const discovery = await onDesktop('Discovery', [
    'letter.txt',
    'Photos/one.txt',
    'Photos/two.txt',
    'Photos/.DS_Store',
  ]);
  await drop(page, files(page).getByText('Drag files onto a folder'), [discovery]);
  const dialog = page.getByRole('dialog', { name: 'Add 3 files?' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Discovery\s*1 file/, /Photos\s*2 files/]);
  await expect(dialog.getByText('Skipped: 1 file made by the operating system.')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Add files' }).click();
  await expect(page.getByRole('button', { name: 'Discovery 1 file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Discovery - Photos 2 files' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'two.txt' })).toBeVisible();
  expect(await listed()).toEqual({
    Pleadings: [],
    Discovery: ['letter.txt'],
    'Discovery - Photos': ['one.txt', 'two.txt'],
  });
});

test('files dropped on a folder go there, and a drop elsewhere does not leave the page', async ({
  matterdesk,
  page,
}) => {
  const { listed } = await openCase(matterdesk, page, 'Medical');
  const bills = await onDesktop('Bills', ['bill.txt']);
  const folder = page.getByRole('button', { name: /^Medical/ });
  await drop(page, folder, [bills, path.join(bills, 'bill.txt')]);
  await page.getByRole('button', { name: 'Add files' }).click();
  await expect(page.getByRole('button', { name: 'Medical - Bills 1 file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Medical 1 file' })).toBeVisible();
  expect(await listed()).toEqual({ Medical: ['bill.txt'], 'Medical - Bills': ['bill.txt'] });
  await drop(page, page.getByRole('heading', { level: 1 }), [path.join(bills, 'bill.txt')]);
  await expect(page.getByRole('button', { name: 'Medical 1 file' })).toBeVisible();
  await expect(page).toHaveURL(/caseDetails/);
});

test('loose files next to folders go into the chosen folder', async ({ matterdesk, page }) => {
  const { listed } = await openCase(matterdesk, page, 'Pleadings', 'Medical');
  const scans = await onDesktop('Scans', ['scan.txt']);
  const hint = files(page).getByText('Drag files onto a folder');
  await drop(page, hint, [path.join(scans, 'scan.txt')]);
  const dialog = page.getByRole('dialog', { name: 'Add 1 file?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await drop(page, hint, [path.join(scans, 'scan.txt')]);
  await dialog.getByLabel('Folder for 1 file').selectOption('Medical');
  await dialog.getByRole('button', { name: 'Add files' }).click();
  await expect(page.getByRole('link', { name: 'scan.txt' })).toBeVisible();
  expect(await listed()).toEqual({ Pleadings: [], Medical: ['scan.txt'] });
});

test('too many files are refused entirely', async ({ matterdesk, page }) => {
  const { listed } = await openCase(matterdesk, page);
  const names = Array.from({ length: 2001 }, (_, at) => `${at}.txt`);
  const all = await onDesktop('All', names);
  await drop(page, files(page).getByText('No folders yet'), [all]);
  await expect(page.getByText('It has more than 2,000 files.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await listed()).toEqual({});
});

test('a whole folder is uploaded without a mouse, even while another page is open', async ({
  matterdesk,
  page,
}) => {
  const { listed } = await openCase(matterdesk, page, 'Pleadings');
  const names = Array.from({ length: 30 }, (_, at) => `${at + 1}.txt`);
  const exhibits = await onDesktop('Exhibits', names);
  const release = await holdRequests(page, '**/files/uploadFile');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload folder' }).press('Enter');
  await (await chooser).setFiles(exhibits);
  await page.getByRole('button', { name: 'Add files' }).click();
  await expect(page.getByRole('progressbar')).toHaveCount(12);
  await expect(page.getByText('and 18 files more')).toBeVisible();
  const address = page.url();
  await page.getByRole('link', { name: 'Matters', exact: true }).first().click();
  await expect(page).toHaveURL(/matters/i);
  release();
  await expect(toast(page, '30 files uploaded')).toBeVisible({ timeout: 60_000 });
  await page.goto(address);
  await page.getByRole('button', { name: 'Exhibits 30 files' }).click();
  expect((await listed())['Exhibits']).toHaveLength(30);
});

/** A directory of files that contain their own names. */
async function onDesktop(name: string, ways: readonly string[]): Promise<string> {
  const desktop = await mkdtemp(path.join(tmpdir(), 'matterdesk-desktop-'));
  made.push(desktop);
  const directory = path.join(desktop, name);
  for (const way of ways) {
    const file = path.join(directory, way);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, way);
  }
  return directory;
}

/** Drops real files, which the browser reads from disk. */
async function drop(page: Page, target: Locator, paths: string[]) {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      x: x + width / 2,
      y: y + height / 2,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    });
  await session.detach();
}

function files(page: Page) {
  return page.getByRole('region', { name: 'Files' });
}

/** @returns the server's names by folder, too */
async function openCase(firm: Firm, page: Page, ...folders: string[]) {
  const admin = await firm.register({ role: 'admin' });
  const { token } = admin;
  const { id: caseId } = (await firm.call(caseRoutes.openCase, { token, body: newCase() })).case;
  for (const folder of folders)
    await firm.call(fileRoutes.createFolder, { token, body: { caseId, folder } });
  await firm.signIn(page, admin);
  await page.goto(`${firm.url}/dashboard/caseDetails/${caseId}`);
  await openTab(page, 'Files');
  await expect(page.getByRole('button', { name: 'Upload folder' })).toBeVisible();
  const listed = async () => {
    const { files: all } = await firm.call(fileRoutes.listFiles, { token, params: { caseId } });
    const names = Object.entries(all).map(([folder, urls]) => [
      folder,
      urls.map((url) => decodeURIComponent(url.split('/').at(-1) ?? '')).toSorted(),
    ]);
    return Object.fromEntries(names) as Record<string, string[]>;
  };
  return { listed };
}
