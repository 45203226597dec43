import { expect, type Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { test, type Firm } from './support/fixtures.ts';
import { beacons, htmlLetter } from './support/letters.ts';

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

/** Puts a file into a case of its own, and opens the preview of it there. */
async function openFile(firm: Firm, page: Page, name: string, bytes: Buffer) {
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
  await page.getByRole('button', { name: `Preview ${name}` }).click();
  return { caseId: opened.id, token };
}
