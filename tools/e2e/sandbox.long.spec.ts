import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { freePort } from '@matterdesk/server/testing/process.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn } from './support/fixtures.ts';
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

test('the sandbox connects a mailbox and reads a mail as formatted', async ({ page }) => {
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

test('the sandbox answers a mail and receives a reply', async ({ page }) => {
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
  await expect(page.getByText(/^Your number/)).toBeVisible();
  await page.getByText('Hello, this is').click();
  await page.getByLabel('Text message').fill('There is: the court set a date.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('There is: the court set a date.').last()).toBeVisible();
  await expect(page.getByText('Delivered').first()).toBeVisible();
  await expect(
    page.getByText(/Got it, thank you|I can be there at 3|send the papers|call me later/).last(),
  ).toBeVisible();
});

test('the sandbox has scans to file, each filed by a digit where it says that it belongs, beside mails', async ({
  page,
}) => {
  await signIn(page, 'ama');
  await page.getByRole('link', { name: 'To file' }).click();
  const count = (source: string) => page.getByRole('button', { name: new RegExp(`^${source}`) });
  // The mailbox was connected before; texts come to the user who bought a number.
  await expect(count('Mail')).toHaveAccessibleName(/[1-9]\d*$/);
  await expect(count('Scans')).toHaveAccessibleName(/\D10$/);
  await count('Scans').click();
  await page
    .getByRole('list', { name: 'Papers' })
    .getByRole('button', { name: 'Scan 0001.pdf' })
    .click();
  const where = page.getByRole('group', { name: 'Where does it belong?' });
  const first = where.getByRole('button').first();
  await expect(first).toContainText(/Case No \S+ on page 1/);
  await page.keyboard.press('1');
  const act = page.getByRole('status').filter({ hasText: 'Filed Scan 0001.pdf in' });
  await expect(act).toBeVisible();
  await expect(count('Scans')).toHaveAccessibleName(/\D9$/);
  const caseName = /in (.+?)(?:Undo.*)?$/.exec((await act.textContent()) ?? '')?.[1] ?? '';
  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: caseName }).first().click();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: /^Scans/ }).click();
  await expect(page.getByRole('link', { name: 'Scan 0001.pdf' })).toBeVisible();
});

test('the sandbox closes without a trace', async () => {
  const open = sandbox;
  sandbox = undefined;
  expect(await open?.close()).toEqual({ code: 0, last: 'The sandbox is closed.', left: [] });
  await expect(fetch(open?.url ?? '')).rejects.toThrow('fetch failed');
});

/** The sandbox of `npm run demo`. */
type Sandbox = {
  url: string;
  /** Output so far. */
  output: () => string;
  /** Presses Ctrl+C; resolves with its exit code, last line and leftover temporary files. */
  close: () => Promise<{ code: number | null; last: string | undefined; left: string[] }>;
};

const root = resolve(import.meta.dirname, '../..');

/** Opens the sandbox on a free port. Throws its output on failure. */
async function openSandbox({ pace }: { pace: number }): Promise<Sandbox> {
  const port = await freePort();
  const temporary = await mkdtemp(join(tmpdir(), 'matterdesk-e2e-'));
  const args = ['tools/launch/run.mjs', '--build', 'tools/sandbox/main.ts', '--pace', String(pace)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      TMPDIR: temporary,
      // Node's compile cache does not count as a leftover.
      NODE_COMPILE_CACHE: join(root, '.cache/compile'),
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const isReady = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        if (output.includes('The sandbox is ready')) done();
      });
    child.once('close', () => fail(new Error(`The sandbox did not open:\n${output}`)));
  });
  await isReady;
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    async close() {
      const closed = once(child, 'close');
      process.kill(-Number(child.pid), 'SIGINT');
      const [code] = (await closed) as [number | null];
      const left = await readdir(temporary);
      await rm(temporary, { recursive: true, force: true });
      return { code, last: output.trim().split('\n').at(-1), left };
    },
  };
}
