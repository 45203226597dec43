import { expect, test, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { logIn } from './support/fixtures.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { startAtNoon } from './support/texting.ts';

test.describe.configure({ mode: 'serial' });

let sandbox: Sandbox | undefined;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  sandbox = await openSandbox({ pace: 12 });
});

test.afterAll(async () => {
  await sandbox?.close();
});

async function signIn(page: Page, firstName: string) {
  const url = sandbox?.url ?? '';
  const email = new RegExp(`${firstName}\\S+`).exec(sandbox?.output() ?? '')?.[0] ?? '';
  await page.goto(url);
  await expect(page.getByText('Sandbox: nothing leaves this machine')).toBeVisible();
  await expectAccessible(page);
  await logIn(page, { email, password: 'matterdesk-demo' });
  await page.waitForURL('**/dashboard');
  await expect(page.getByText('Sandbox: nothing leaves this machine')).toBeVisible();
}

async function connectMailbox(page: Page, name: string) {
  await page.getByRole('link', { name: 'Emails' }).click();
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await expect(page.getByText('This page stands in for Google')).toBeVisible();
  await page.getByLabel(name).check();
  await page.getByRole('button', { name: 'Allow' }).click();
}

test('connects a mailbox and reads a mail as formatted', async ({ page }) => {
  await signIn(page, 'ama');
  await connectMailbox(page, 'Ama Owusu');
  await page.getByText('NOTICE OF HEARING').first().click();
  await expect(page.getByRole('heading', { name: 'NOTICE OF HEARING' })).toBeVisible();
  await page.getByRole('button', { name: 'Load images' }).click();
  const letter = page.frameLocator('iframe');
  const seal = letter.getByAltText('Seal of the court');
  await expect.poll(() => seal.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
  expect(await seal.evaluate((image: HTMLImageElement) => image.width)).toBe(320);
  const label = letter.getByRole('rowheader', { name: 'Judge' });
  await expect(label).toHaveCSS('text-align', /left/);
});

test('answers a mail and receives a reply', async ({ page }) => {
  await signIn(page, 'rune');
  await connectMailbox(page, 'Rune Lindqvist');
  await page.getByText('settlement proposal').first().click();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.getByLabel('Message').fill('We shall answer within the thirty days.');
  await page.getByRole('button', { name: 'Send Email' }).click();
  await expect(page.getByText('Email sent successfully')).toBeVisible();
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText(/^Re: .*settlement proposal/).first()).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
});

test('buys a number, receives a text and a reply', async ({ page }) => {
  await startAtNoon(page);
  await signIn(page, 'rune');
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Enable Messaging Service' }).click();
  await page
    .getByRole('button', { name: /^Buy \(/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Buy number' }).click();
  await expect(page.getByText('Your number')).toBeVisible();
  await page.getByText('Hello, this is').click();
  await page.getByLabel('Text message').fill('There is: the court set a date.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('There is: the court set a date.').last()).toBeVisible();
  await expect(page.getByText('Delivered').first()).toBeVisible();
  await expect(
    page.getByText(/Got it, thank you|I can be there at 3|send the papers|call me later/).last(),
  ).toBeVisible();
});

test('closes without a trace', async () => {
  const open = sandbox;
  sandbox = undefined;
  expect(await open?.close()).toEqual({ code: 0, last: 'The sandbox is closed.', left: [] });
  await expect(fetch(open?.url ?? '')).rejects.toThrow('fetch failed');
});
