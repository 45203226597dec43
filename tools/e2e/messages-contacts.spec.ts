import { expect } from '@playwright/test';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { newCase } from '@matterdesk/server/testing/factories.ts';
import { test } from './support/connected.ts';
import { expectAccessible, expectKept } from './support/expect.ts';
import { holdRequests } from './support/fixtures.ts';
import { connect, newReader, panel, recipients } from './support/mailbox.ts';
import { openCase } from './support/matters.ts';
import { contacts, log, openMessages, outsider } from './support/texting.ts';

test('a user buys a number once despite double clicks, and messaging is on', async ({
  matterdesk,
  twilio,
  page,
}) => {
  const person = await matterdesk.register();
  await matterdesk.signIn(page, person);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Enable Messaging Service' }).click();
  await expect(page.getByText('This list is shown only once.')).toBeVisible();
  await page.getByLabel('Area code').fill('5');
  await page.getByRole('button', { name: 'Find numbers' }).click();
  await expect(page.getByText('Area Code must have three digits')).toBeVisible();
  await page.getByLabel('Area code').fill('518');
  await page.getByRole('button', { name: 'Find numbers' }).click();
  const buy = page.getByRole('button', { name: /^Buy \(518\)/ }).first();
  await expect(buy).toBeVisible();
  await expectAccessible(page);
  const bought = twilio.requests.length;
  await buy.dblclick();
  const question = page.getByRole('alertdialog', { name: /^Buy \(518\)/ });
  await expect(question.getByText('$1.15 a month')).toBeVisible();
  await expectAccessible(page, '[role=alertdialog]');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(twilio.requests.slice(bought).filter(isPurchase)).toEqual([]);
  await buy.click();
  await question.getByRole('button', { name: 'Buy number' }).dblclick();
  await expect(page.getByRole('button', { name: 'Add New Contact' })).toBeVisible();
  await expect(page.getByText('Your number +1 518')).toBeVisible();
  await expect(page.getByText('Not registered')).toBeVisible();
  const purchases = twilio.requests.slice(bought).filter(isPurchase);
  expect(purchases.filter(({ form }) => form['PhoneNumber']?.startsWith('+1518'))).toHaveLength(1);
  await page.reload();
  await expect(page.getByText('No contacts yet')).toBeVisible();
  await expect(page.getByText('until its A2P 10DLC registration is complete')).toBeVisible();
  await expectAccessible(page);
});

test('the notice about the number moves no button away that is being pressed', async ({
  matterdesk,
  page,
}) => {
  const release = await holdRequests(page, '**/api/v1/messages/number');
  await openMessages(matterdesk, page);
  const notice = page.getByText('Not registered');
  await page.getByRole('button', { name: 'Add New Contact' }).hover();
  await page.mouse.down();
  const loaded = page.waitForResponse('**/api/v1/messages/number');
  release();
  await (await loaded).finished();
  // Two frames, in which the page would show it.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await expect(notice).toBeHidden();
  await page.mouse.up();
  await expect(page.getByRole('dialog').getByLabel('Phone Number')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(notice).toBeVisible();
});

test('a number that was just taken is refused with a message, and another one can be bought', async ({
  matterdesk,
  twilio,
  page,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard/messages');
  await page.getByRole('button', { name: 'Enable Messaging Service' }).click();
  const rows = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Buy/ }) });
  const taken = (await rows.nth(7).innerText()).match(/\+\d+/)?.[0] ?? '';
  twilio.sellElsewhere(taken);
  await rows.nth(7).getByRole('button').click();
  await page.getByRole('button', { name: 'Buy number' }).click();
  await expect(rows.nth(7).getByRole('alert')).toBeVisible();
  await rows.nth(8).getByRole('button').click();
  await page.getByRole('button', { name: 'Buy number' }).click();
  await expect(page.getByRole('button', { name: 'Add New Contact' })).toBeVisible();
});

test('a new contact’s number is formatted while typing, and validated', async ({
  matterdesk,
  page,
}) => {
  await openMessages(matterdesk, page);
  await page.getByRole('button', { name: 'Add New Contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Chat' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Phone Number is required')).toBeVisible();
  const number = dialog.getByLabel('Phone Number');
  await number.pressSequentially('1646555');
  await expect(number).toHaveValue('1 646 555');
  await number.press('Enter');
  await expect(dialog.getByText('Phone Number must look like 1 234 567 8910')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await number.press('Home');
  await number.press('ArrowRight');
  await number.pressSequentially('23');
  await expect(number).toHaveValue('1 236 465 55');
  // Also without the country's digit, as it is written in the US.
  await number.fill('(646) 555-0187');
  await expect(number).toHaveValue('646 555 0187');
  await number.press('Enter');
  await expect(page.getByRole('heading', { name: '+1 646 555 0187' })).toBeVisible();
  await expect(log(page).getByText('Please start chat from here...')).toBeVisible();
  await expectKept(page, 'messages', /\+16465550187/);
  await page.reload();
  await expect(contacts(page).getByRole('option')).toHaveText(/\+1 646 555 0187/);
});

test('a client is chosen by name, and is known before the first text', async ({
  matterdesk,
  page,
}) => {
  const texter = await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  const name = `Wren Okafor ${number.slice(-4)}`;
  const { clientInfo } = newCase();
  await openCase(matterdesk, texter, {
    clientInfo: { ...clientInfo, name, phoneNumber: `(646) ${typed.slice(6).replace(' ', '-')}` },
  });
  await page.getByRole('button', { name: 'Add New Contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Chat' });
  await dialog.getByLabel('Name').pressSequentially(name.slice(0, -1));
  await page.getByRole('option', { name }).click();
  await expect(dialog.getByLabel('Phone Number')).toHaveValue(typed);
  await expectAccessible(page, '[role=dialog]');
  // A name that no contact has is not kept, which the dialog says.
  const unsaved = dialog.getByText('Only the number is kept here.');
  await expect(unsaved).toBeHidden();
  await dialog.getByLabel('Name').fill('Someone new');
  await expect(unsaved).toBeVisible();
  await dialog.getByLabel('Name').fill(name);
  await expect(unsaved).toBeHidden();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expectKept(page, 'messages', new RegExp(name));
  await page.reload();
  await expect(contacts(page).getByRole('option')).toContainText(name);
  await page.getByRole('button', { name: 'Remove' }).click();
  // A link names the number alone.
  await page.goto(`/dashboard/messages?with=${encodeURIComponent(number)}`);
  await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('the client’s number and address on a case open Messages and Compose', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await newReader(desk, { role: 'admin' });
  const { token, email } = person;
  const { numbers } = await matterdesk.call(messageRoutes.listOffers, { token });
  const phoneNumber = numbers[2]?.phoneNumber ?? '';
  await matterdesk.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  const { number, typed } = outsider();
  const { clientInfo } = newCase();
  const address = `client${number.slice(-4)}@client.example`;
  const { id } = await openCase(matterdesk, person, {
    clientInfo: { ...clientInfo, email: address, phoneNumber: typed },
  });
  const open = () => page.goto(`/dashboard/caseDetails/${id}`);
  await open();
  const text = page.getByRole('link', { name: typed });
  // Until the page knows of the number that was just bought, the device would call.
  await expect(text).toHaveAttribute('href', /messages\?with=/);
  await text.click();
  await expect(page.getByRole('heading', { name: `+${typed}` })).toBeVisible();
  await open();
  await expect(page.getByRole('link', { name: address })).toHaveAttribute(
    'href',
    `mailto:${address}`,
  );
  await connect(desk, person);
  await page.reload();
  await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', /emails\?to=/);
  await page.getByRole('link', { name: address }).click();
  await expect(recipients(page, 'To')).toHaveAccessibleName(`Remove ${address}`);
  await expect(page).toHaveURL(/\/dashboard\/emails$/);
  await expect(panel(page).getByLabel('Message')).toBeFocused();
});

function isPurchase({ method, path }: { method: string; path: string }): boolean {
  return method === 'POST' && path.endsWith('IncomingPhoneNumbers.json');
}
