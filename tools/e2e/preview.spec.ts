import { expect, type Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { longContract, textPdf } from '@matterdesk/server/testing/pdf.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test, type Firm } from './support/fixtures.ts';
import { beacons, htmlLetter } from './support/letters.ts';

// An engine of a megabyte comes first.
const drawn = { timeout: 15_000 };

test.describe.configure({ mode: 'parallel' });

test('a letter calls nobody and runs nothing, until its images are asked for', async ({
  matterdesk,
  browser,
}) => {
  // A page of its own, for the walls that stop the letter say so in the console.
  const page = await browser.newPage({ baseURL: matterdesk.url });
  const sender = await listen();
  await openFile(matterdesk, page, 'letter.eml', htmlLetter(beacons(sender.url)));
  const preview = page.getByRole('region', { name: 'letter.eml' });
  await expect(preview.getByRole('heading', { name: 'Tender of defense' })).toBeVisible();
  const body = preview.frameLocator('iframe');
  await expect(body.getByText('A word with you.')).toBeVisible();
  await expect(body.getByRole('link', { name: 'Read' })).toHaveAttribute('target', '_blank');
  await expect(body.getByRole('link', { name: 'Read' })).toHaveAttribute('rel', /noopener/);
  await painted(page);
  expect(sender.asked).toEqual([]);
  await preview.getByRole('button', { name: 'Show remote images' }).click();
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
  // Where no wall stands the same letter does all of it.
  await page.goto(`${sender.url}/letter`);
  await expect.poll(() => sender.asked).toEqual(expect.arrayContaining(['/import.css', '/fetch']));
  await page.close();
  await sender.close();
});

test('a PDF shows its page with words that can be selected', async ({ matterdesk, page }) => {
  await openFile(matterdesk, page, 'contract.pdf', longContract(3));
  const preview = page.getByRole('region', { name: 'contract.pdf' });
  const first = preview.getByRole('region', { name: 'Page 1', exact: true });
  await expect(first.locator('canvas')).toBeVisible(drawn);
  await expect(first.getByText('1. Clause Number 1', { exact: true })).toBeVisible();
  await expect(preview.getByText('of 3')).toBeVisible();
  await preview.getByRole('button', { name: 'Next page' }).click();
  await expect(preview.getByRole('textbox', { name: 'Page' })).toHaveValue('2');
  const before = (await first.boundingBox())?.width ?? 0;
  await preview.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(async () => (await first.boundingBox())?.width ?? 0).toBeGreaterThan(before);
  await preview.getByRole('button', { name: 'Fit the width' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(page.getByRole('button', { name: 'Preview contract.pdf' })).toBeFocused();
});

test('a PDF of 3,000 pages opens at once and draws only what is in sight', async ({
  matterdesk,
  page,
}) => {
  let received = 0;
  page.on('response', (response) => {
    if (response.status() === 206) received += Number(response.headers()['content-length']);
  });
  const bytes = longContract(3000);
  await openFile(matterdesk, page, 'long.pdf', bytes);
  const preview = page.getByRole('region', { name: 'long.pdf' });
  await expect(preview.getByText('1. Clause Number 1', { exact: true })).toBeVisible(drawn);
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(bytes.length / 2);
  await preview.getByRole('textbox', { name: 'Page' }).fill('2500');
  await page.keyboard.press('Enter');
  const wanted = preview.getByRole('region', { name: 'Page 2,500', exact: true });
  await expect(wanted.locator('canvas')).toBeInViewport();
  await expect(wanted.getByText('2500. Clause Number 2500')).toBeInViewport();
  await expect(preview.getByRole('textbox', { name: 'Page' })).toHaveValue('2500');
  expect(await preview.locator('canvas').count()).toBeLessThan(7);
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
  await placeFile(matterdesk, page, 'answer.pdf', textPdf(pages));
  await page.getByRole('button', { name: 'Train AI' }).click();
  await page.getByRole('button', { name: 'Chat', exact: true }).click(drawn);
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await chat.getByRole('textbox').fill('What is the limit of the policy by Meridian Mutual?');
  await chat.getByRole('textbox').press('Enter');
  await chat.getByRole('button', { name: 'Page 3', exact: true }).first().click();
  const preview = page.getByRole('region', { name: 'answer.pdf' });
  const cited = preview.getByRole('region', { name: 'Page 3', exact: true });
  await expect(cited.getByText('million dollars per occurrence.')).toBeInViewport();
  await expect
    .poll(() => page.evaluate(marked, 'sentence'))
    .toContain('milliondollarsperoccurrence');
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Text' }).click();
  await expect(preview.locator('mark')).toContainText('million dollars per occurrence');
});

/** The marked words, without the spaces between them. */
function marked(name: string): string {
  return [...(CSS.highlights.get(name) ?? [])]
    .map((range) => (range as Range).toString().replaceAll(/\s/g, ''))
    .join('');
}

/** What a page asks for at once it has asked for when it has painted twice. */
async function painted(page: Page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** A server that writes down what it is asked for. */
async function listen() {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const { url = '', headers } = request;
    asked.push(url);
    if (url === '/letter')
      reply.setHeader('content-type', 'text/html').end(beacons(`http://${headers.host}`));
    else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Opens the preview of a file in a case of its own. */
async function openFile(firm: Firm, page: Page, name: string, bytes: Buffer) {
  await placeFile(firm, page, name, bytes);
  await page.getByRole('button', { name: `Preview ${name}` }).click();
}

/** Puts a file into a case of its own, and shows the case. */
async function placeFile(firm: Firm, page: Page, name: string, bytes: Buffer) {
  const person = await firm.register({ role: 'admin' });
  const { token } = person;
  const { case: opened } = await firm.call(caseRoutes.openCase, { token, body: newCase() });
  const form = new FormData();
  form.set('caseId', opened.id);
  form.set('folder', 'Pleadings');
  form.set('attachments', new File([new Uint8Array(bytes)], name));
  const reply = await fetch(`${firm.url}/api/v1/files/uploadFile`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: form,
  });
  expect(reply.status).toBe(201);
  await firm.signIn(page, person);
  await page.goto(`${firm.url}/dashboard/caseDetails/${opened.id}`);
}
