import { expect, type Page } from '@playwright/test';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { test } from './support/connected.ts';
import { expectAccessible } from './support/expect.ts';
import { connect, deliver, newReader, row as mailRow } from './support/mailbox.ts';
import { openCase } from './support/matters.ts';
import { outsider } from './support/texting.ts';

const link = (page: Page) => page.getByRole('link', { name: 'To file' });
const paper = (page: Page) => page.getByRole('article');
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Papers' }).getByRole('button', { name });

test('a text and a mail of a client arrive, are filed to the matter with a key and by mouse, and one is taken back', async ({
  matterdesk,
  google,
  twilio,
  page,
}) => {
  // Google is polled every half minute.
  test.setTimeout(150_000);
  const person = await newReader({ matterdesk, page }, { role: 'admin' });
  const { token, email } = person;
  await connect({ matterdesk, google }, person);
  const { numbers } = await matterdesk.call(messageRoutes.listOffers, { token });
  const phoneNumber = numbers[0]?.phoneNumber ?? '';
  await matterdesk.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  const { number: client } = outsider();
  const address = `yusuf${Date.now()}@adeyemi.example`;
  const { caseName } = await openCase(matterdesk, person, {
    caseName: `Adeyemi v. Tidewater ${Date.now()}`,
    clientInfo: {
      name: 'Yusuf Adeyemi',
      phoneNumber: client,
      email: address,
      address: '1 Main Street',
    },
  });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Papers that other tests left are an admin's to file, too.
  const { counts } = await matterdesk.call(trayRoutes.listTray, { token, query: { limit: '1' } });
  const before = Object.values(counts).reduce((sum, count) => sum + count, 0);
  await twilio.receive({ from: client, to: phoneNumber, body: 'The adjuster came by today' });
  await expect(link(page)).toHaveAccessibleDescription(`${before + 1} to file`);
  await deliver(google, email, {
    from: `Yusuf Adeyemi <${address}>`,
    subject: 'Photos of the truck',
    text: 'They are attached, both sides.',
    attachments: [{ filename: 'Left side.txt', content: 'a dent' }],
  });
  await expect(link(page)).toHaveAccessibleDescription(`${before + 2} to file`, {
    timeout: 60_000,
  });

  await link(page).click();
  await page.getByRole('button', { name: /^Texts/ }).click();
  await expect(paper(page).getByText('Text from Yusuf Adeyemi')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Text' })).toContainText(
    'The adjuster came by today',
  );
  const proposals = page.getByRole('group', { name: 'Where does it belong?' });
  await expect(proposals.getByRole('button')).toContainText('Yusuf Adeyemi is the client');
  await expectAccessible(page);
  await page.keyboard.press('1');
  await expect(page.getByText('Filed The adjuster came by today in')).toBeVisible();
  await expect(link(page)).toHaveAccessibleDescription(`${before + 1} to file`);

  await page.getByRole('button', { name: /^Mail/ }).click();
  await expect(row(page, 'Photos of the truck')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Email' })).toContainText('both sides.');
  await expect(paper(page).getByRole('link', { name: /Left side\.txt/ })).toBeVisible();
  await expectAccessible(page);
  await paper(page).getByRole('link', { name: 'Open in Emails' }).click();
  await expect(mailRow(page, 'Photos of the truck')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: `File in ${caseName}` }).click();
  await expect(page.getByText(`Filed Photos of the truck in ${caseName}`)).toBeVisible();

  await page.getByRole('link', { name: 'Matters', exact: true }).click();
  await page.getByRole('link', { name: caseName }).click();
  const stream = page.getByRole('region', { name: 'Stream' });
  await expect(stream.getByText('The adjuster came by today')).toBeVisible();
  await expect(stream.getByText(/Photos of the truck/).first()).toBeVisible();
  await link(page).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Photos of the truck')).toBeVisible();
});
