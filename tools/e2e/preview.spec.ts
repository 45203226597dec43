import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { longContract, textPdf } from '@matterdesk/server/testing/papers.ts';
import { expectAccessible } from './support/expect.ts';
import { test, type Firm } from './support/fixtures.ts';
import { beacons, htmlMail, listen, painted } from './support/mailbox.ts';
import { openTab } from './support/matters.ts';

// The first preview loads an engine of a megabyte.
const drawn = { timeout: 15_000 };

test('a letter loads and runs nothing until its images are requested', async ({
  matterdesk,
  browser,
}) => {
  // Its own page, since blocked requests log errors to the console.
  const page = await browser.newPage({ baseURL: matterdesk.url });
  const sender = await listen();
  await openFile(matterdesk, page, 'letter.eml', htmlMail(beacons(sender.url)));
  const preview = page.getByRole('region', { name: 'letter.eml' });
  await expect(preview.getByRole('heading', { name: 'Tender of defense' })).toBeVisible();
  const body = preview.frameLocator('iframe');
  await expect(body.getByText('A word with you.')).toBeVisible();
  await expect(body.getByRole('link', { name: 'Read' })).toHaveAttribute('target', '_blank');
  await expect(body.getByRole('link', { name: 'Read' })).toHaveAttribute('rel', /noopener/);
  await painted(page);
  expect(sender.asked).toEqual([]);
  await preview.getByRole('button', { name: 'Load images' }).click();
  await expect
    .poll(() => sender.asked.toSorted())
    .toEqual([
      '/bare.png',
      '/body.png',
      '/cell.png',
      '/escaped.png',
      '/image.png',
      '/inline.png',
      '/picture.png',
      '/style.png',
      '/table.png',
    ]);
  await painted(page);
  expect(await page.evaluate('window.hasRun')).toBeUndefined();
  // Without the wall the same letter loads all of it.
  await page.goto(`${sender.url}/letter`);
  await expect.poll(() => sender.asked).toEqual(expect.arrayContaining(['/import.css', '/fetch']));
  await page.close();
  await sender.close();
});

test('a PDF shows its page with selectable text', async ({ matterdesk, page }) => {
  const pages = [1, 2, 3].map((number) => [`${number}. Clause Number ${number}`, 'in time']);
  await openFile(matterdesk, page, 'contract.pdf', textPdf(pages));
  const preview = page.getByRole('region', { name: 'contract.pdf' });
  const first = preview.getByRole('region', { name: 'Page 1', exact: true });
  await expect(first.locator('canvas')).toBeVisible(drawn);
  await expect(first.getByText('1. Clause Number 1', { exact: true })).toBeVisible();
  await expect(preview.getByText('of 3')).toBeVisible();
  await preview.getByRole('button', { name: 'Next page' }).click();
  await expect(preview.getByRole('textbox', { name: 'Page' })).toHaveValue('2');
  const second = preview.getByRole('region', { name: 'Page 2', exact: true });
  const before = (await second.boundingBox())?.width ?? 0;
  for (const name of ['Zoom in', 'Zoom in', 'Zoom in', 'Zoom in'])
    await preview.getByRole('button', { name }).click();
  await expect
    .poll(async () => (await second.boundingBox())?.width ?? 0)
    .toBeGreaterThan(before * 2);
  await expect(second.getByText('2. Clause Number 2', { exact: true })).toBeInViewport();
  await preview.getByRole('button', { name: 'Fit the width' }).click();
  await expect(second.getByText('2. Clause Number 2', { exact: true })).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(page.getByRole('link', { name: 'contract.pdf' })).toBeFocused();
});

test('a PDF of 3,000 pages opens at once and draws only visible pages', async ({
  matterdesk,
  page,
}) => {
  const inParts = page.waitForResponse((response) => response.status() === 206);
  await openFile(matterdesk, page, 'long.pdf', longContract(3000));
  await inParts;
  const preview = page.getByRole('region', { name: 'long.pdf' });
  await expect(preview.getByText('1. Clause Number 1', { exact: true })).toBeVisible(drawn);
  await preview.getByRole('textbox', { name: 'Page' }).fill('2500');
  await page.keyboard.press('Enter');
  const wanted = preview.getByRole('region', { name: 'Page 2,500', exact: true });
  await expect(wanted.locator('canvas')).toBeInViewport();
  await expect(wanted.getByText('2500. Clause Number 2500')).toBeInViewport();
  await expect(preview.getByRole('textbox', { name: 'Page' })).toHaveValue('2500');
  expect(await preview.locator('canvas').count()).toBeLessThan(7);
});

test('text is found anywhere in a PDF, one match after the other', async ({ matterdesk, page }) => {
  const pages = Array.from({ length: 40 }, (_, at) => [
    `Page ${at + 1}`,
    ...(at % 20 === 14 ? ['The escrow', 'agent holds the deposit.'] : ['Nothing of note.']),
  ]);
  await openFile(matterdesk, page, 'deed.pdf', textPdf(pages));
  const preview = page.getByRole('region', { name: 'deed.pdf' });
  await expect(preview.getByText('Page 1', { exact: true })).toBeVisible(drawn);
  await expect(preview.getByRole('region', { name: 'Pages' })).toBeFocused();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('ESCROW agent');
  await page.keyboard.press('Enter');
  await expect(preview.getByText('agent holds the deposit.').first()).toBeInViewport();
  await expect(preview.getByRole('status').getByText('Page 15')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(preview.getByRole('status').getByText('Page 35')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(preview.getByRole('status').getByText('Page 15')).toBeVisible();
  await expect.poll(() => page.evaluate(marked, 'current')).toBe('escrowagent');
  await page.keyboard.type('ies');
  await page.keyboard.press('Enter');
  await expect(preview.getByText('No match')).toBeVisible();
  await preview.getByRole('button', { name: 'Close search' }).click();
  await expect(preview.getByRole('region', { name: 'Pages' })).toBeFocused();
});

test('a locked PDF opens with its password only', async ({ matterdesk, page }) => {
  await openFile(matterdesk, page, 'locked.pdf', await document('locked.pdf'));
  const preview = page.getByRole('region', { name: 'locked.pdf' });
  const password = preview.getByLabel('Document password');
  await password.fill('wrong', drawn);
  await password.press('Enter');
  await expect(preview.getByText('This password isn’t right')).toBeVisible();
  await password.fill('secret');
  await password.press('Enter');
  await expect(preview.locator('canvas').first()).toBeVisible(drawn);
});

test('JBIG2 and JPEG 2000 images are drawn by decoders of our own origin', async ({
  matterdesk,
  page,
}) => {
  await openFile(matterdesk, page, 'scans.pdf', await document('rare-pictures.pdf'));
  const preview = page.getByRole('region', { name: 'scans.pdf' });
  for (const name of ['Page 1', 'Page 2']) {
    const drawing = preview.getByRole('region', { name, exact: true }).locator('canvas');
    await expect(drawing).toBeVisible(drawn);
    // A page of text is white with some black; a failed image leaves it blank.
    await expect.poll(() => drawing.evaluate(darkShare)).toBeGreaterThan(0.002);
    expect(await drawing.evaluate(darkShare)).toBeLessThan(0.2);
  }
});

test('a citation opens the preview at its page with the passage marked', async ({
  matterdesk,
  page,
}) => {
  const pages = ['the claims', 'the accident', 'the policy', 'the damages'].map((subject) => [
    `Of ${subject}`,
    ...Array.from({ length: 30 }, (_, line) => `Line ${line} speaks of ${subject} at length.`),
    ...(subject === 'the policy'
      ? [
          'The policy issued by Meridian Mutual is limited to one',
          'million dollars per occurrence.',
        ]
      : []),
  ]);
  await placeFiles(matterdesk, page, { 'answer.pdf': textPdf(pages) });
  await ask(page, 'What is the limit of the policy by Meridian Mutual?');
  await page.getByRole('button', { name: 'Page 3', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'answer.pdf' });
  const cited = preview.getByRole('region', { name: 'Page 3', exact: true });
  await expect(cited.getByText('million dollars per occurrence.')).toBeInViewport(drawn);
  await expect
    .poll(() => page.evaluate(marked, 'sentence'))
    .toContain('milliondollarsperoccurrence');
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Text' }).click();
  await expect(preview.locator('mark')).toContainText('million dollars per occurrence');
});

test('a Word document is laid out as printed, with the cited passage marked', async ({
  matterdesk,
  page,
}) => {
  await placeFiles(matterdesk, page, { 'lease.docx': await document('lease.docx') });
  await ask(page, 'How high is the security deposit?');
  await page
    .getByRole('button', { name: /^Security deposit|3\.1|Page 1/ })
    .first()
    .click();
  const preview = page.getByRole('region', { name: 'lease.docx' });
  const words = preview.frameLocator('iframe').getByText(/security deposit of \$12,900\.00/);
  await expect(words).toBeInViewport(drawn);
  const inFrame = page.frames().find((frame) => frame !== page.mainFrame());
  await expect
    .poll(() => inFrame?.evaluate(marked, 'passage'))
    .toContain('securitydepositof$12,900.00');
  await expectAccessible(page);
  const before = (await words.boundingBox())?.width ?? 0;
  await preview.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(async () => (await words.boundingBox())?.width ?? 0).toBeLessThan(before);
  await words.click();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
});

test('a scanned page shows the cited text below its image', async ({ matterdesk, page }) => {
  test.slow();
  await placeFiles(matterdesk, page, { 'scan.pdf': await document('scan.pdf') });
  await ask(page, 'What sanctions are awarded to the plaintiff?', 60_000);
  await page.getByRole('button', { name: 'Page 2', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'scan.pdf' });
  const note = preview.getByRole('figure', { name: 'The cited passage' });
  await expect(note).toContainText(/Sanctions in the amount of \$1,750/, drawn);
  await expect(
    preview.getByRole('region', { name: 'Page 2', exact: true }).locator('canvas'),
  ).toBeInViewport(drawn);
  await expectAccessible(page);
});

test('an image and a text are shown as they are, and other files offer a download', async ({
  matterdesk,
  page,
}) => {
  await placeFiles(matterdesk, page, {
    'order.jpg': await document('order.jpg'),
    'note.txt': Buffer.from('\xc4rger \x96 caf\xe9', 'latin1'),
    'exhibits.xlsx': await document('exhibits.xlsx'),
  });
  await page.getByRole('link', { name: 'order.jpg' }).click();
  const picture = page.getByRole('img', { name: 'order.jpg' });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Previous file' }).click();
  await expect(page.getByText('Ärger – café')).toBeVisible();
  await page.getByRole('button', { name: 'Previous file' }).click();
  await expect(page.getByText('No preview for this file')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'exhibits.xlsx' })).toBeFocused();
});

test('a file that cannot be opened is reported, and can be retried', async ({
  matterdesk,
  page,
}) => {
  await openFile(
    matterdesk,
    page,
    'cut-off.docx',
    (await document('lease.docx')).subarray(0, 3000),
  );
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(page.getByRole('alert')).toContainText('Couldn’t load', drawn);
  await again.click();
  await expect(again).toBeVisible();
});

test('an email file shows its sender and offers its attachments', async ({ matterdesk, page }) => {
  await openFile(matterdesk, page, 'nested.eml', await document('nested.eml'));
  const preview = page.getByRole('region', { name: 'nested.eml' });
  await expect(preview.getByText('José Müller <jose@firm.example>')).toBeVisible(drawn);
  // The date as under Emails.
  await expect(preview.getByText(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d/)).toBeVisible();
  await expect(
    preview.frameLocator('iframe').getByText('He will repair the roof at his own cost'),
  ).toBeVisible();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await preview.getByRole('button', { name: 'Download locked.pdf' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('locked.pdf');
  expect(await readFile(await download.path())).toEqual(await document('locked.pdf'));
});

/** Share of dark pixels, 0 to 1. */
function darkShare(drawing: HTMLElement | SVGElement): number {
  const { width, height } = drawing as HTMLCanvasElement;
  const data = (drawing as HTMLCanvasElement)
    .getContext('2d')
    ?.getImageData(0, 0, width, height).data;
  const dark = data?.filter((value, at) => at % 4 === 0 && value < 100).length ?? 0;
  return dark / (width * height);
}

/** Trains the only file and asks it. */
async function ask(page: Page, question: string, timeout = drawn.timeout) {
  await page.getByRole('button', { name: 'Train AI' }).click();
  await page.getByRole('button', { name: 'Chat', exact: true }).click({ timeout });
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await chat.getByRole('textbox').fill(question);
  await chat.getByRole('textbox').press('Enter');
}

/** A file made by another program. */
function document(name: string): Promise<Buffer> {
  return readFile(new URL(`../../server/testing/documents/${name}`, import.meta.url));
}

/** Marked text without spaces. */
function marked(name: string): string {
  return [...(CSS.highlights.get(name) ?? [])]
    .map((range) => (range as Range).toString().replaceAll(/\s/g, ''))
    .join('');
}

/** Opens the preview of a file in a new case. */
async function openFile(firm: Firm, page: Page, name: string, bytes: Buffer) {
  await placeFiles(firm, page, { [name]: bytes });
  await page.getByRole('link', { name }).click();
}

/** Puts files into a new case and opens it. */
async function placeFiles(firm: Firm, page: Page, files: Record<string, Buffer>) {
  const person = await firm.register({ role: 'admin' });
  const { token } = person;
  const { case: opened } = await firm.call(caseRoutes.openCase, { token, body: newCase() });
  const form = new FormData();
  form.set('caseId', opened.id);
  form.set('folder', 'Pleadings');
  for (const [name, bytes] of Object.entries(files))
    form.append('attachments', new File([new Uint8Array(bytes)], name));
  const reply = await fetch(`${firm.url}${fileRoutes.uploadFiles.path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: form,
  });
  expect(reply.status).toBe(201);
  await firm.signIn(page, person);
  await page.goto(`${firm.url}/dashboard/caseDetails/${opened.id}`);
  await openTab(page, 'Files');
}
