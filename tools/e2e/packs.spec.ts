import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { newTask, unique } from '@matterdesk/server/testing/factories.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, type Person, test } from './support/fixtures.ts';
import { dialog, openCase } from './support/matters.ts';

/** Milliseconds until a small matter is packed and the list says so. */
const packed = { timeout: 30_000 };

for (const colorScheme of ['light', 'dark'] as const)
  test(`a matter is exported as a zip with its file and its task, ${colorScheme}`, async ({
    matterdesk,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const admin = await matterdesk.register({ role: 'admin' });
    const { id, caseName } = await openCase(matterdesk, admin, {
      caseName: `Packed v. Carried ${unique()}`,
    });
    await placeFile(matterdesk, admin, id);
    const body = newTask({ case: id, assignedTo: admin.id });
    await matterdesk.call(taskRoutes.addTask, { token: admin.token, body });
    await matterdesk.signIn(page, admin);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Matters' }).first().click();
    // The dashboard has links of that name as well, to the task.
    await expect(page).toHaveURL(/\/matters/);
    await page.getByRole('table').getByRole('link', { name: caseName }).click();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export matter' }).click();
    const form = dialog(page);
    await expect(form.getByRole('heading', { name: 'Export matter' })).toBeVisible();
    await expect(page).toHaveURL(/[?&]export=1/);
    await expect(form.getByRole('checkbox', { checked: true })).toHaveCount(10);
    const documents = form.getByRole('checkbox', { name: /^Documents \d+ files? · / });
    await expect(documents).toBeVisible();
    await expect(documents).toBeFocused();
    await expect(form.getByText('No packs yet')).toBeVisible();
    await expect(form.getByText(/^Left out/)).toBeHidden();
    await expectAccessible(page);

    // The sizes of fewer parts are counted here: no request is made for them.
    const total = form.getByText(/^Total/);
    const before = (await total.textContent()) ?? '';
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/pack')) asked.push(request.url());
    });
    await form.getByRole('checkbox', { name: /^Record/ }).uncheck();
    await expect(total).not.toHaveText(before);
    expect(asked).toEqual([]);
    await form.getByRole('button', { name: 'Export' }).click();

    const pack = form.getByRole('list', { name: 'Earlier packs' }).getByRole('listitem');
    await expect(pack).toHaveCount(1);
    await expect(pack).toBeFocused();
    await expect(pack).toContainText(`${admin.firstName} ${admin.lastName}`);
    await expect(pack).toContainText(/Ready until /, packed);
    await expect(form.getByRole('status')).toHaveText('The pack is ready');
    await expect(pack).toContainText(/SHA-256 [\da-f]{12}/);
    await expect(pack).toContainText('without Record');
    await expectAccessible(page);

    const saving = page.waitForEvent('download');
    await pack.getByRole('link', { name: /^Download/ }).click();
    const zip = await (await saving).path();
    const names = await contentOf(zip);
    expect(names).toMatch(/\/data\/documents\/Pleadings\/Complaint\.txt$/m);
    expect(names).toMatch(/\/data\/tasks\.csv$/m);
    expect(names).toMatch(/\/manifest-sha256\.txt$/m);
    expect(names).not.toContain('record.jsonl');

    await form.getByRole('button', { name: 'Close' }).click();
    await expect(form).toBeHidden();
    await expect(page).not.toHaveURL(/export=/);
    await verifyInBrowser(page, zip);
  });

/** Opens the page within the pack from the disk, without the product; then again with one bit of a file changed. */
async function verifyInBrowser(page: Page, zip: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'matterdesk-pack-'));
  try {
    await promisify(execFile)('unzip', ['-q', zip, '-d', home]);
    const [top = ''] = await readdir(home);
    const folder = join(home, top);
    await page.goto(pathToFileURL(join(folder, 'verify.html')).href);
    await expectAccessible(page);
    const choose = () => page.getByLabel('Choose the unpacked folder').setInputFiles(folder);
    await choose();
    await expect(page.getByRole('status')).toContainText('Unchanged since it was packed');
    const complaint = 'data/documents/Pleadings/Complaint.txt';
    for (const name of [complaint, 'data/tasks.csv', 'bag-info.txt', 'manifest-sha256.txt']) {
      const bytes = await readFile(join(folder, name));
      await writeFile(join(folder, name), flipped(bytes));
      await choose();
      await expect(page.getByRole('status')).toContainText(`Differs: ${name}`);
      await expect(page.getByRole('status')).not.toContainText('Unchanged');
      await writeFile(join(folder, name), bytes);
    }
    await page.goto(pathToFileURL(join(folder, 'data/index.html')).href);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Complaint.txt' }).click();
    await expect(page.getByText('defendant failed to yield')).toBeVisible();
  } finally {
    await rm(home, { recursive: true });
  }
}

/** The same bytes but for a bit of the last, which is a line's end in tables. */
function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  return changed;
}

test('a user without the permission has no way to export a matter', async ({
  matterdesk,
  page,
}) => {
  const admin = await matterdesk.register({ role: 'admin' });
  const { id } = await openCase(matterdesk, admin, { caseName: `Kept v. Here ${unique()}` });
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto(`/dashboard/caseDetails/${id}?export=1`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Access' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Export matter' })).toHaveCount(0);
  await expect(dialog(page)).toHaveCount(0);
});

async function placeFile(firm: Firm, { token }: Person, caseId: string): Promise<void> {
  const form = new FormData();
  form.set('caseId', caseId);
  form.set('folder', 'Pleadings');
  form.append('attachments', new File(['The defendant failed to yield.'], 'Complaint.txt'));
  const reply = await fetch(`${firm.url}${fileRoutes.uploadFiles.path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: form,
  });
  expect(reply.status).toBe(201);
}

/** Names in a zip, as another program reads them. */
async function contentOf(zip: string): Promise<string> {
  return (await promisify(execFile)('unzip', ['-l', zip])).stdout;
}
