import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { startForeignPostgres } from '@matterdesk/server/testing/foreign-postgres.ts';
import { freePort } from '@matterdesk/server/testing/process.ts';
import { test as base } from './support/fixtures.ts';
import { startMatterdesk, type Matterdesk } from './support/matterdesk.ts';
import { openTab } from './support/matters.ts';

const LEASE = 'The tenant has paid a security deposit of $2,900 to the landlord.';

const test = base.extend<object, { shared: Record<string, string>; port: number }>({
  port: [async ({ browserName: _any }, use) => use(await freePort()), { scope: 'worker' }],
  // Variables of both processes.
  shared: [
    async ({ port }, use) => {
      const postgres = await startForeignPostgres();
      await use({
        DATABASE_URL: postgres.url,
        SECRET_KEY: '0123456789abcdef'.repeat(4),
        AI_URL: `http://127.0.0.1:${port}`,
      });
      await postgres.drop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  environment: [async ({ shared }, use) => use(shared), { scope: 'worker' }],
});

test('the browser trains and asks on a separate AI host', async ({
  matterdesk,
  shared,
  port,
  page,
}) => {
  const { url, dataDir } = matterdesk;
  const env = { ...shared, PUBLIC_URL: url };
  const ai: Matterdesk = await startMatterdesk({ env, dataDir, port, args: ['ai'] });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (pathname.startsWith('/ai/')) asked.push(`${origin} ${request.method()} ${pathname}`);
  });
  const admin = await matterdesk.register({ role: 'admin' });
  const opened = await matterdesk.call(caseRoutes.openCase, {
    token: admin.token,
    body: newCase(),
  });
  const { id: caseId } = opened.case;
  const folder = { caseId, folder: 'Leases' };
  await matterdesk.call(fileRoutes.createFolder, { token: admin.token, body: folder });
  await matterdesk.signIn(page, admin);
  await page.goto(`${url}/dashboard/caseDetails/${caseId}`);
  await openTab(page, 'Files');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload to Leases' }).click();
  const file = { name: 'Lease.txt', mimeType: 'text/plain', buffer: Buffer.from(LEASE) };
  await (await chooser).setFiles(file);
  await page.getByRole('button', { name: 'Train AI' }).click();
  await page.getByRole('button', { name: 'Chat', exact: true }).click({ timeout: 20_000 });
  const chat = page.getByRole('dialog', { name: 'AI Chat' });
  await chat.getByRole('textbox').fill('How much is the security deposit?');
  await chat.getByRole('textbox').press('Enter');
  await expect(chat.locator('mark')).toContainText('$2,900');
  expect(new Set(asked)).toEqual(
    new Set(
      ['generate-embedding', 'check_embeddings', 'chat'].map(
        (name) => `${ai.url} POST /ai/${name}`,
      ),
    ),
  );
  await ai.stop();
});
