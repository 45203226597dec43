import { expect, type Page, type Route } from '@playwright/test';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { newContact, unique } from '@matterdesk/server/testing/factories.ts';
import { test } from './support/connected.ts';
import { holdConnection, openConnected } from './support/connection.ts';
import { expectAccessible, expectKept, toast } from './support/expect.ts';
import { openTab } from './support/matters.ts';
import {
  addContact,
  box,
  contacts,
  log,
  openCaseOf,
  openMessages,
  outsider,
  registerTexter,
  send,
  showMessages,
  startAtNoon,
} from './support/texting.ts';

test('Enter sends a text and shows its delivery status', async ({ matterdesk, twilio, page }) => {
  const { number: own } = await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await expect(box(page)).toBeFocused();
  await box(page).press('Enter');
  await expect(toast(page, 'Please enter message')).toBeVisible();
  await box(page).pressSequentially('Dear Ngozi,');
  await box(page).press('Shift+Enter');
  await box(page).pressSequentially('could you come by?');
  await box(page).press('Enter');
  await expect(toast(page, 'Your message has been sent successfully')).toBeVisible();
  await expect(box(page)).toHaveValue('');
  await expect(box(page)).toBeFocused();
  await expect(log(page).getByText('Please start chat from here...')).toBeHidden();
  const sent = twilio.messages.find(({ to }) => to === number);
  expect(sent).toMatchObject({ from: own, body: 'Dear Ngozi,\ncould you come by?' });
  await twilio.advance(sent?.sid ?? '', 'sent');
  await expect(log(page).getByText('Sent', { exact: false })).toBeVisible();
  await twilio.advance(sent?.sid ?? '', 'delivered');
  await expect(log(page).getByText('Delivered')).toBeVisible();
  await page.reload();
  await expect(log(page).getByText('could you come by?')).toBeVisible();
  await expect(log(page).getByText('Delivered')).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

test('an inbound text appears in the open conversation, and counts as unread in others', async ({
  matterdesk,
  twilio,
  page,
}) => {
  const { number: own } = await openMessages(matterdesk, page);
  const [open, other] = [outsider(), outsider()];
  await addContact(page, open.typed);
  await twilio.receive({ to: own, from: open.number, body: 'I can come Thursday' });
  await expect(log(page).getByText('I can come Thursday')).toBeVisible();
  await twilio.receive({ to: own, from: other.number, body: 'Is it still on?' });
  const row = contacts(page).getByRole('option').first();
  await expect(row).toContainText('Is it still on?');
  await expect(row).toContainText('1 unread');
  await expect(page.getByRole('link', { name: 'Messages' })).toHaveAccessibleDescription(
    '1 unread',
  );
  await row.click();
  await expect(log(page).getByText('Is it still on?')).toBeVisible();
  await expect(row).not.toContainText('unread');
  await page.reload();
  await expect(contacts(page).getByRole('option')).toHaveCount(2);
  await expect(contacts(page).getByText('unread')).toHaveCount(0);
  await page.getByRole('button', { name: 'Make intake' }).click();
  const intake = page.getByRole('complementary', { name: 'Intake' });
  await expect(intake.getByRole('link', { name: /\.pdf$|\.txt$/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Make intake' })).toBeHidden();
  await page.getByRole('link', { name: 'Intake made' }).click();
  await expect(intake.getByRole('link', { name: /\.pdf$|\.txt$/ })).toBeVisible();
});

test('a text that arrives while its conversation is loading is read where it is shown', async ({
  matterdesk,
  twilio,
  page,
}) => {
  const { number: own, token } = await openMessages(matterdesk, page);
  const { number } = outsider();
  await twilio.receive({ to: own, from: number, body: 'Are you there?' });
  const row = contacts(page).getByRole('option');
  await expect(row).toContainText('Are you there?');
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const response = await route.fetch();
    asked.resolve();
    await released.promise;
    await route.fulfill({ response });
  };
  await page.route(`**${messageRoutes.readHistory.path}`, hold, { times: 1 });
  await row.click();
  await asked.promise;
  await twilio.receive({ to: own, from: number, body: 'I am outside' });
  await expect(row).toContainText('I am outside');
  released.resolve();
  await expect(log(page).getByText('I am outside')).toBeVisible();
  await expect(row).not.toContainText('unread');
  await expect
    .poll(() => matterdesk.call(messageRoutes.listConversations, { token }))
    .toMatchObject({ conversations: [{ phoneNumber: number, unread: 0 }] });
});

test('two tabs show the same', async ({ matterdesk, twilio, page, context }) => {
  await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await send(page, 'From the first tab');
  const second = await context.newPage();
  await showMessages(second);
  await contacts(second).getByRole('option').click();
  await expect(log(second).getByText('From the first tab')).toBeVisible();
  await send(second, 'From the second tab');
  await expect(log(page).getByText('From the second tab')).toBeVisible();
  for (const { sid, to } of twilio.messages)
    if (to === number) await twilio.advance(sid, 'delivered');
  await expect(log(page).getByText('Delivered')).toBeVisible();
  await expect(log(second).getByText('Delivered')).toBeVisible();
});

test('texts that arrived while disconnected appear after reconnecting', async ({
  matterdesk,
  twilio,
  page,
}) => {
  const { number: own, ...person } = await registerTexter(matterdesk);
  const { number } = outsider();
  await twilio.receive({ to: own, from: number, body: 'Before' });
  await matterdesk.signIn(page, person);
  const line = await holdConnection(page);
  await openConnected(page, `/dashboard/messages?with=${encodeURIComponent(number)}`);
  await expect(log(page).getByText('Before')).toBeVisible();
  await line.cut();
  await expect(page.getByText('Can’t reach Matterdesk.')).toBeVisible();
  // Neither does a read that was still on its way get through.
  await page.route('**/api/v1/**', (route) => route.abort());
  await twilio.receive({ to: own, from: number, body: 'Meanwhile' });
  await expect(log(page).getByText('Meanwhile')).toBeHidden();
  await page.unroute('**/api/v1/**');
  await line.restore();
  await expect(log(page).getByText('Meanwhile')).toBeVisible();
  await expect(contacts(page).getByRole('option')).toContainText('Meanwhile');
});

test('after STOP nothing can be sent until START', async ({ matterdesk, twilio, page }) => {
  const { number: own } = await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await twilio.receive({ to: own, from: number, body: 'Stop' });
  await expect(page.getByText('opted out of texts')).toBeVisible();
  await expect(page.getByText(/^Opted out \(STOP\) on /)).toBeVisible();
  await expect(box(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await expectAccessible(page);
  await twilio.receive({ to: own, from: number, body: 'START' });
  await expect(page.getByText(/^Consent on /)).toBeVisible();
  await expect(box(page)).toBeEnabled();
  await send(page, 'Welcome back');
});

test('a text that Twilio refuses stays in the conversation with its reason', async ({
  matterdesk,
  twilio,
  page,
}) => {
  await openMessages(matterdesk, page);
  await addContact(page, '1 500 555 0001');
  await box(page).fill('To no one');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(log(page).getByText('Not sent')).toBeVisible();
  await expect(box(page)).toHaveValue('To no one');
  await addContact(page, '1 500 555 0003');
  await send(page, 'Out of reach');
  const lost = twilio.messages.find(({ to }) => to === '+15005550003');
  expect(lost).toBeUndefined();
  await expect(log(page).getByText('Not sent')).toBeVisible();
  await expectAccessible(page);
});

test('a lost reply does not send a second text', async ({ matterdesk, twilio, page }) => {
  await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await page.route(
    '**/messages/sendMessage',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await box(page).fill('Only once');
  await box(page).press('Enter');
  await expect(toast(page, 'Error in sending message')).toBeVisible();
  await expect(box(page)).toHaveValue('Only once');
  await box(page).press('Enter');
  await expect(toast(page, 'Your message has been sent successfully')).toBeVisible();
  expect(twilio.messages.filter(({ to }) => to === number)).toHaveLength(1);
});

test('a text with an unknown outcome is marked, and no second one is sent', async ({
  matterdesk,
  twilio,
  page,
}) => {
  await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await send(page, 'The first one arrives');
  twilio.faults.push({ path: /Messages\.json$/, method: 'POST', destroy: true, afterwards: true });
  await box(page).fill('Did this one?');
  await box(page).press('Enter');
  await expect(log(page).getByText('Delivery not confirmed yet')).toBeVisible();
  await expect(box(page)).toHaveValue('');
  await page.reload();
  await expect(log(page).getByText('Did this one?')).toBeVisible();
  expect(twilio.messages.filter(({ to }) => to === number)).toHaveLength(2);
});

test('an unsent text stays with its contact', async ({ matterdesk, page }) => {
  await openMessages(matterdesk, page);
  const [first, second] = [outsider(), outsider()];
  await addContact(page, first.typed);
  await box(page).fill('Half a thought');
  await addContact(page, second.typed);
  await expect(box(page)).toHaveValue('');
  await expect(contacts(page).getByText('Half a thought')).toBeVisible();
  // Words typed right after a click are for the contact who was clicked.
  const shown = await contacts(page)
    .getByText('Half a thought')
    .evaluate((row: HTMLElement) => {
      row.click();
      return document.querySelector('textarea')?.value;
    });
  expect(shown).toBe('Half a thought');
  await expectKept(page, 'messages', /Half a thought/);
  await page.reload();
  await expect(box(page)).toHaveValue('Half a thought');
});

test('words typed right after the palette has opened a conversation are for its contact', async ({
  matterdesk,
  page,
}) => {
  const { token } = await openMessages(matterdesk, page);
  const [first, second] = [outsider(), outsider()];
  const name = `Ilse Marchetti ${second.number.slice(-4)}`;
  const body = newContact({ name, phoneNumbers: [second.number] });
  await matterdesk.call(contactRoutes.addContact, { token, body });
  await addContact(page, first.typed);
  await box(page).fill('Half a thought');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await field.fill(name);
  const action = page.getByRole('option', { name: `Text ${name}` });
  await expect(action).toContainText(`+${second.typed}`);
  await page.keyboard.press('ArrowUp');
  await expect(action).toHaveAttribute('aria-selected', 'true');
  // The next key may come before the page has drawn anything, but not before these turns.
  const shown = await field.evaluate(async (input) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return (document.activeElement as HTMLTextAreaElement).value;
  });
  expect(shown).toBe('');
  await page.keyboard.type('Good morning');
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(box(page)).toHaveValue('Good morning');
  await expect(contacts(page).getByText('Half a thought')).toBeVisible();
});

test('the composer counts segments, and at night a text is sent only after a question', async ({
  matterdesk,
  twilio,
  page,
}) => {
  await openMessages(matterdesk, page);
  const { number, typed } = outsider();
  await addContact(page, typed);
  await page.clock.setFixedTime(new Date('2026-11-20T22:14:00-05:00'));
  await box(page).fill('a'.repeat(161));
  await expect(page.getByText('161/306')).toBeVisible();
  await expect(page.getByText('2 segments')).toBeVisible();
  const words = 'It’s 10:14 PM in New York, where this number is from.';
  await box(page).press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Send this text now?' });
  await expect(question.getByText(words)).toBeVisible();
  await expectAccessible(page, '[role=alertdialog]');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(box(page)).toHaveValue('a'.repeat(161));
  expect(twilio.messages.filter(({ to }) => to === number)).toEqual([]);
  await box(page).press('Enter');
  await question.getByRole('button', { name: 'Send now' }).click();
  await expect(box(page)).toHaveValue('');
  // It asks once a night.
  await send(page, 'And this');
  expect(twilio.messages.filter(({ to }) => to === number)).toHaveLength(2);
  await page.clock.setFixedTime(new Date('2026-11-20T12:00:00-05:00'));
  await box(page).fill('ж'.repeat(71));
  await expect(page.getByText('71/134')).toBeVisible();
});

test('a long conversation loads upwards without jumping', async ({ matterdesk, twilio, page }) => {
  const { number: own, ...person } = await registerTexter(matterdesk);
  const { number } = outsider();
  for (let at = 1; at <= 120; at += 1)
    await twilio.receive({
      to: own,
      from: number,
      body: `Message ${at} ${'word '.repeat(at % 9)}`,
    });
  await matterdesk.signIn(page, person);
  await showMessages(page);
  await contacts(page).getByRole('option').click();
  await expect(log(page).getByText('Message 120')).toBeVisible();
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  await page.route('**/messages/messagesHistory', async (route) => {
    const answer = await route.fetch();
    await settled;
    await route.fulfill({ response: answer });
  });
  await log(page).evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  const watched = log(page)
    .getByText(/^Message 7[1-9] /)
    .first();
  const before = await watched.boundingBox();
  settle();
  await expect(log(page).getByText(/^Message 21 /)).toBeAttached();
  const after = await watched.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await page.getByRole('button', { name: 'Newest message' }).click();
  await expect(log(page).getByText('Message 120')).toBeInViewport();
});

test('a client is shown with name and case, and the conversation is exported to the case', async ({
  matterdesk,
  twilio,
  page,
}) => {
  const texter = await registerTexter(matterdesk);
  const { number, typed } = outsider();
  const { caseId, caseName } = await openCaseOf(matterdesk, texter, { phoneNumber: typed });
  await twilio.receive({ to: texter.number, from: number, body: 'Good morning' });
  await matterdesk.signIn(page, texter);
  await showMessages(page);
  await contacts(page).getByRole('option', { name: 'Ngozi Abara' }).click();
  await expect(page.getByRole('link', { name: caseName })).toHaveAttribute(
    'href',
    `/dashboard/caseDetails/${caseId}`,
  );
  await page.getByRole('button', { name: 'Export conversation' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Case' })).toContainText(caseName);
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByText('Conversation exported')).toBeVisible();
  const name = await dialog.getByRole('link', { name: /\.pdf$/ }).innerText();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('link', { name: caseName }).click();
  await openTab(page, 'Files');
  await expect(page.getByRole('link', { name })).toBeVisible();
});

test('texts are filed to the case by a few presses, read there by a colleague, and taken back', async ({
  matterdesk,
  twilio,
  page,
  browser,
}) => {
  const texter = await registerTexter(matterdesk);
  const { number, typed } = outsider();
  // Clients of one name are one contact, whose texts with others would be counted below.
  const client = `Ngozi Abara ${unique()}`;
  const { caseName } = await openCaseOf(matterdesk, texter, { phoneNumber: typed, name: client });
  const bodies = ['I am at the garage', 'They say the brakes failed', 'Call me', 'Thanks'];
  for (const body of bodies) await twilio.receive({ to: texter.number, from: number, body });
  const colleague = await (await browser.newContext({ baseURL: matterdesk.url })).newPage();
  await matterdesk.signIn(colleague, await matterdesk.register());
  await openConnected(colleague, '/dashboard');
  await startAtNoon(page);
  await matterdesk.signIn(page, texter);
  await openConnected(page, '/dashboard');
  const navigation = (on: Page) => on.getByRole('navigation', { name: 'Main' });
  await navigation(page)
    .getByRole('link', { name: /Messages/ })
    .click();
  await contacts(page).getByRole('option', { name: client }).click();
  await expect(log(page).getByText('Thanks')).toBeVisible();

  const button = page.getByRole('main').getByRole('button', { name: 'File to case' });
  await button.first().click();
  const bar = page.getByRole('form', { name: 'File to case' });
  await bar.getByRole('button', { name: 'File to case' }).click();
  await expect(bar).toContainText('Please choose a text first');
  await log(page)
    .getByRole('checkbox', { name: /garage/ })
    .check();
  await log(page)
    .getByRole('checkbox', { name: /Call me/ })
    .click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 texts chosen');
  await expectAccessible(page);
  await expect(bar.getByRole('combobox', { name: 'Case' })).toContainText(caseName);
  await bar.getByRole('button', { name: 'File to case' }).click();
  await expect(toast(page, `3 texts filed to ${caseName}`)).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(box(page)).toBeFocused();
  // A toast with the focus stays: the colleague's page may take longer than the others are shown.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();

  await navigation(colleague).getByRole('link', { name: 'Matters' }).click();
  const matters = colleague.getByRole('table', { name: 'Matters' });
  await matters.getByRole('link', { name: caseName }).first().click();
  const rows = colleague.getByRole('region', { name: 'Stream' }).getByRole('article');
  const hidden = rows.filter({ hasText: 'private until filed' });
  await expect(rows.filter({ hasText: 'the brakes failed' })).toBeVisible();
  await expect(hidden).toHaveCount(1);
  await undo.click();
  await expect(hidden).toHaveCount(4);

  await button.click();
  await log(page)
    .getByRole('checkbox', { name: /garage/ })
    .press('Space');
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeVisible();
  const fileAll = async () => {
    await button.click();
    await bar.getByRole('button', { name: 'All', exact: true }).click();
    await bar.getByRole('button', { name: 'File to case' }).click();
  };
  await button.click();
  const garage = log(page).getByRole('checkbox', { name: /garage/ });
  await garage.check();
  await bar.getByRole('button', { name: 'File to case' }).click();
  await expect(toast(page, `1 text filed to ${caseName}`)).toBeVisible();
  await fileAll();
  await expect(toast(page, `3 texts filed to ${caseName}, 1 was there already`)).toBeVisible();
  await fileAll();
  await expect(toast(page, 'Already filed there')).toBeVisible();
  await page.getByRole('link', { name: caseName }).click();
  const own = page.getByRole('region', { name: 'Stream' }).getByRole('article');
  await own
    .filter({ hasText: 'Thanks' })
    .getByRole('button', { name: 'More for this item' })
    .click();
  await page.getByRole('menuitem', { name: 'Remove from this matter' }).click();
  await expect(toast(page, 'Text removed from this matter')).toBeVisible();
  await undo.focus();
  await expect(rows.filter({ hasText: 'Call me' })).toBeVisible();
  await expect(rows.filter({ hasText: 'Thanks' })).toHaveCount(0);
  await expect(hidden).toHaveCount(1);
  const more = { name: 'More for this item' };
  await rows.filter({ hasText: 'Call me' }).getByRole('button', more).click();
  await expect(colleague.getByRole('menuitem', { name: /^Only by/ })).toBeVisible();
  await expect(colleague.getByRole('menuitem', { name: 'Remove from this matter' })).toHaveCount(0);
  await undo.click();
  await expect(rows.filter({ hasText: 'Thanks' })).toBeVisible();
});

test('the list of contacts works with the keyboard', async ({ matterdesk, twilio, page }) => {
  const texter = await registerTexter(matterdesk);
  for (const name of ['Anna Abara', 'Bert Osei', 'Kim Larsen']) {
    const { number, typed } = outsider();
    await openCaseOf(matterdesk, texter, { phoneNumber: typed, name });
    await twilio.receive({ to: texter.number, from: number, body: `I am ${name}` });
  }
  await matterdesk.signIn(page, texter);
  await showMessages(page);
  const list = contacts(page);
  await expect(list.getByRole('option')).toHaveCount(3);
  await list.focus();
  await page.keyboard.press('j');
  await expectActive(page, 'Kim Larsen');
  await page.keyboard.press('ArrowDown');
  await expectActive(page, 'Bert Osei');
  await page.keyboard.press('Home');
  await expectActive(page, 'Kim Larsen');
  // The page's own time, since the real one may be so much later that the page locks.
  await page.clock.install({ time: await page.evaluate(() => Date.now()) });
  await page.keyboard.type('an');
  await expectActive(page, 'Anna Abara');
  await page.clock.fastForward(400);
  await page.keyboard.type('ki');
  await expectActive(page, 'Kim Larsen');
  await page.keyboard.press('Enter');
  await expect(log(page).getByText('I am Kim Larsen')).toBeVisible();
  await expect(box(page)).toBeFocused();
  await page.getByPlaceholder('Search contacts').fill('zzz');
  await expect(page.getByText('No contacts match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).last().click();
  await expect(list.getByRole('option')).toHaveCount(3);
});

test('on a phone each pane is a screen @phone', async ({ matterdesk, page }) => {
  await openMessages(matterdesk, page);
  await addContact(page, outsider().typed);
  await expect(contacts(page)).toBeHidden();
  await send(page, 'From a phone');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back to the contacts' }).click();
  await expect(contacts(page)).toBeFocused();
  await page.getByRole('button', { name: 'Files and today' }).click();
  await expect(page.getByText('Upload anything')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Files and today' })).toBeFocused();
});

async function expectActive(page: Page, name: string) {
  await expect
    .poll(async () => {
      const id = await contacts(page).getAttribute('aria-activedescendant');
      return page.locator(`[id="${id}"]`).innerText();
    })
    .toContain(name);
}
