import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { newPerson } from '@matterdesk/server/testing/factories.ts';
import { startTwilio } from '@matterdesk/server/testing/twilio.ts';
import { expectAccessible } from './support/expect.ts';
import { logIn, test, call } from './support/fixtures.ts';
import { startMatterdesk, type Matterdesk } from './support/matterdesk.ts';
import { box, contacts, log } from './support/texting.ts';

const SENTENCE = /Texting isn't set up yet\. Ask your administrator\.$/;

test('without Twilio the page says whom to ask, and files and today stay', async ({
  matterdesk,
  page,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Messages' }).click();
  await expect(page.getByText(SENTENCE)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable Messaging Service' })).toBeHidden();
  await expect(page.getByText('Upload anything')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Full Calendar' })).toBeVisible();
  await expectAccessible(page);
});

test('a user with a number from before Twilio was removed can read, but not send', async ({
  page,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'matterdesk-e2e-'));
  const twilio = await startTwilio();
  const person = newPerson();
  const products: Matterdesk[] = [];
  const start = async (env: Record<string, string>) => {
    const product = await startMatterdesk({ dataDir, env: { LOG_LEVEL: 'warn', ...env } });
    products.push(product);
    return product;
  };
  try {
    const before = await start(twilio.env);
    twilio.webhookBase = before.url;
    await call(before.url, accountRoutes.register, { body: person });
    const { token, email } = await call(before.url, accountRoutes.login, {
      body: { email: person.email, password: person.password },
    });
    const { numbers } = await call(before.url, messageRoutes.listOffers, { token });
    const phoneNumber = numbers[0]?.phoneNumber ?? '';
    await call(before.url, messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
    await twilio.receive({ to: phoneNumber, from: '+16465550187', body: 'Still here?' });
    await before.stop();

    const after = await start({});
    await page.goto(after.url);
    await logIn(page, person);
    await page.getByRole('link', { name: 'Messages' }).click();
    await contacts(page).getByRole('option').click();
    await expect(log(page).getByText('Still here?')).toBeVisible();
    // The only user administers the product, and reads what is to be set.
    await expect(page.getByText(/^Texting isn't set up yet\. Set TWILIO/)).toBeVisible();
    await expect(box(page)).toBeDisabled();
    await expectAccessible(page);
  } finally {
    for (const product of products) await product.stop();
    await twilio.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
