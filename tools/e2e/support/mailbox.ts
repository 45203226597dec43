import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Registration } from '@matterdesk/contract/accounts.ts';
import { mailAccountRoutes } from '@matterdesk/contract/mails.ts';
import { composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import type { Google } from '@matterdesk/server/testing/google.ts';
import { ACCOUNTS } from './connected.ts';
import type { Firm, Person } from './fixtures.ts';

let taken = 0;

type NewMail = Parameters<typeof composeMail>[0];

export type Desk = { matterdesk: Firm; google: Google; page: Page };

/** A signed-in user with a mailbox at Google, not connected yet. */
export async function newReader(
  { matterdesk, page }: Omit<Desk, 'google'>,
  own: Partial<Registration> = {},
): Promise<Person> {
  const account = ACCOUNTS[taken];
  if (!account) throw new Error('All accounts are taken');
  taken += 1;
  const person = await matterdesk.register({ email: account.email, ...own });
  await matterdesk.signIn(page, person);
  return person;
}

/** An unused mailbox address. */
export function spareAccount(): string {
  taken += 1;
  return ACCOUNTS[taken - 1]?.email ?? '';
}

/** Connects a user through the API. */
export async function connect(
  { matterdesk, google }: Omit<Desk, 'page'>,
  { token, email }: Person,
  account = email,
): Promise<void> {
  const { data } = await matterdesk.call(mailAccountRoutes.startConnecting, { token });
  const { code, state } = await google.grant(data, account);
  await matterdesk.call(mailAccountRoutes.finishConnecting, {
    token,
    body: { code, state, userEmail: email },
  });
}

/** A user at their mailbox with these mails, the last one on top. */
export async function openMailbox(desk: Desk, mails: readonly NewMail[] = []) {
  const person = await newReader(desk);
  await connect(desk, person);
  for (const [at, mail] of mails.entries()) {
    // A minute apart, since mails of the same second have no order.
    const date = new Date(Date.now() - (mails.length - at) * 60_000);
    await deliver(desk.google, person.email, { date, ...mail });
  }
  await openEmails(desk.page);
  return person;
}

/** Through the navigation, as after a sign-in. */
export async function openEmails(page: Page): Promise<void> {
  await page.goto('/dashboard/emails');
  await expect(page.getByRole('link', { name: /^Inbox/ })).toBeVisible();
}

export async function deliver(google: Google, to: string, mail: NewMail): Promise<string> {
  const raw = await composeMail({
    from: 'Piet Voss <voss@elsewhere.example>',
    to,
    subject: 'Tender of defense',
    text: 'Counsel, our client tenders the defense.',
    ...mail,
  });
  return (await google.deliver(to, raw)).id;
}

/** A row of the list by its text. */
export function row(page: Page, text: string | RegExp): Locator {
  return page.getByRole('list', { name: 'Emails' }).getByRole('link').filter({ hasText: text });
}

export function reader(page: Page): Locator {
  return page.getByRole('article');
}

export function panel(page: Page): Locator {
  return page.locator('[data-compose]');
}

/** The field of the mail's text. */
export function message(page: Page): Locator {
  return panel(page).getByRole('textbox', { name: 'Message' });
}

/** Waits for these lines in the message; a quote is without its sign. */
export async function expectMessage(page: Page, text: string | RegExp): Promise<void> {
  const words = () =>
    message(page).evaluate((field) =>
      [...field.children].map((line) => line.textContent).join('\n'),
    );
  const wait = expect.poll(words);
  await (typeof text === 'string' ? wait.toBe(text) : wait.toMatch(text));
}

/** The recipients of a field of the compose panel, such as 'To'. */
export function recipients(page: Page, label: string): Locator {
  const field = panel(page).getByLabel(label, { exact: true });
  return field.locator('xpath=..').getByRole('button', { name: /^Remove / });
}

/** Closes the compose panel, which saves its mail as a draft. */
export async function closeMail(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Close email' }).click();
  await expect(panel(page)).toBeHidden();
}

/** An email file with an HTML body and other parts. */
export function htmlMail(html: string, parts: readonly string[] = []): Buffer {
  const body = ['Content-Type: text/html; charset=utf-8', '', html].join('\r\n');
  const lines = [
    'From: Piet Voss <voss@example.com>',
    'To: Ama Owusu <ama@example.com>',
    'Subject: Tender of defense',
    'Date: Mon, 16 Nov 2026 10:12:00 -0500',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=part',
    '',
    ...[body, ...parts].flatMap((part) => ['--part', part]),
    '--part--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** Every way for a letter to call its sender's server. */
export function beacons(url: string): string {
  return `<html><head>
    <style>@import url("${url}/import.css"); td { background: url(${url}/style.png) }
      @font-face { font-family: f; src: url(${url}/font.woff2) } h1 { font-family: f }</style>
    <style>h1 { background: u\\72l(${url}/escaped.png) }</style>
    <link rel="stylesheet" href="${url}/link.css"><link rel="prefetch" href="${url}/prefetch">
    <link rel="preload" as="image" href="${url}/preload.png"><link rel="icon" href="${url}/icon.png">
    <meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/">
    <script src="${url}/script.js"></script><script>parent.hasRun = true; fetch("${url}/fetch")</script>
    </head><body background="${url}/body.png" onload="parent.hasRun = true">
    <h1>Good day</h1><p style="background-image: url('${url}/inline.png')">A word with you.</p>
    <img src="${url}/image.png" alt="A picture"><img srcset="${url}/srcset.png 2x" alt="">
    <img src="x" onerror="parent.hasRun = true" alt=""><img src="//${new URL(url).host}/bare.png" alt="">
    <picture><source srcset="${url}/source.png"><img src="${url}/picture.png" alt=""></picture>
    <video poster="${url}/poster.png" src="${url}/video.mp4" autoplay></video>
    <audio src="${url}/audio.mp3" autoplay></audio>
    <iframe src="${url}/frame"></iframe><iframe srcdoc="<img src=${url}/srcdoc.png>"></iframe>
    <object data="${url}/object"></object><embed src="${url}/embed">
    <svg><image href="${url}/svg.png"/><script>parent.hasRun = true</script><use href="${url}/use.svg#a"/></svg>
    <math><mtext><img src="${url}/math.png"></mtext></math>
    <table background="${url}/table.png"><tr><td>a</td><th background="${url}/cell.png">b</th></tr></table>
    <form action="${url}/form"><input type="image" src="${url}/input.png"><button autofocus>Send</button></form>
    <a href="javascript:parent.hasRun = true">Run</a> <a href="${url}/linked" ping="${url}/ping">Read</a>
    </body></html>`;
}

/** A server that records its requests. */
export async function listen() {
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

/** After two paints a page has sent all its initial requests. */
export async function painted(page: Page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
