import { expect, type Page } from '@playwright/test';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { upload } from '@matterdesk/server/testing/training.ts';
import { test } from './support/connected.ts';
import { expectAccessible, toast } from './support/expect.ts';
import { holdRequests, type Person } from './support/fixtures.ts';
import {
  closeMail,
  connect,
  deliver,
  expectMessage,
  message,
  newReader,
  openEmails,
  openMailbox,
  panel,
  reader,
  recipients,
  row,
  type Desk,
} from './support/mailbox.ts';
import { openCase, openTab } from './support/matters.ts';

test('a mail is written, saved, and sent once despite double clicks', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await openMailbox(desk);
  await page.keyboard.press('c');
  const mail = panel(page);
  await expect(mail.getByLabel('To', { exact: true })).toBeFocused();
  expect((await mail.boundingBox())?.width).toBe(384);
  await write(page, { To: 'nobody', Subject: 'The tender', Message: 'We accept.' });
  await mail.getByRole('button', { name: 'Send Email' }).click();
  await expect(mail.getByText('Please enter a valid email address.')).toBeVisible();
  await expect(mail.getByLabel('To', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await write(page, { To: 'voss@elsewhere.example' });
  await expect(mail.getByText(/^Saved at/)).toBeVisible();
  await mail.getByRole('button', { name: 'Send Email' }).dblclick();
  await expect(toast(page, 'Email sent successfully')).toBeVisible();
  await expect(mail).toBeHidden();
  await page.getByRole('link', { name: /^Sent/ }).click();
  await expect(row(page, 'The tender')).toHaveCount(1);
  await expect(row(page, 'The tender')).toContainText('voss@elsewhere.example');
  expect(await listOf(desk, person, 'sent')).toHaveLength(1);
  // Sending removes the saved draft.
  expect(await listOf(desk, person, 'drafts')).toEqual([]);
});

test('known recipients are suggested after a few letters, and added only when chosen', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Hello' }]);
  await expect(row(page, 'Hello')).toBeVisible();
  await page.keyboard.press('c');
  const to = panel(page).getByLabel('To', { exact: true });
  const voss = panel(page).getByRole('option', { name: /Piet Voss/ });
  await to.pressSequentially('pie');
  await expect(voss).toBeVisible();
  await expectAccessible(page, '[data-compose]');
  await page.keyboard.press('Escape');
  await expect(voss).toBeHidden();
  await expect(to).toHaveValue('pie');
  await to.press('t');
  await expect(voss).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(recipients(page, 'To')).toHaveAccessibleName('Remove voss@elsewhere.example');
  await expect(to).toHaveValue('');
  await expect(voss).toBeHidden();
  await panel(page).getByRole('button', { name: 'Cc and Bcc' }).click();
  const cc = panel(page).getByLabel('Cc', { exact: true });
  await cc.pressSequentially('jun@court.example, pie');
  await voss.click();
  const copies = ['Remove jun@court.example', 'Remove voss@elsewhere.example'];
  await expect(recipients(page, 'Cc')).toHaveText(['', '']);
  for (const [at, name] of copies.entries())
    await expect(recipients(page, 'Cc').nth(at)).toHaveAccessibleName(name);
  // A mail has one addressee: a second one gets a copy.
  await to.pressSequentially('ama@firm.example,');
  await expect(recipients(page, 'To')).toHaveCount(1);
  await expect(recipients(page, 'Cc')).toHaveCount(3);
  await expectAccessible(page, '[data-compose]');
  await cc.press('Backspace');
  await expect(cc).toHaveValue('ama@firm.example');
  await recipients(page, 'Cc').first().click();
  // Leaving the field ends what was typed in it.
  await expect(recipients(page, 'Cc')).toHaveCount(2);
  await expect(cc).toHaveValue('');
});

test('a mail without a recipient is refused with a message, and nothing of it is lost', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page });
  await page.keyboard.press('c');
  await write(page, { Subject: 'To whom', Message: 'Words' });
  await message(page).press('Control+Enter');
  await expect(toast(page, 'Error in sending mail: Please enter a recipient')).toBeVisible();
  await expectMessage(page, 'Words');
});

test('a mail that mentions a missing attachment asks before sending', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await openMailbox(desk);
  await page.keyboard.press('c');
  const text = 'The signed copy is attached.';
  await write(page, { To: 'voss@elsewhere.example', Subject: 'The copy', Message: text });
  await panel(page).getByRole('button', { name: 'Send Email' }).click();
  const question = page.getByRole('alertdialog', { name: 'Send without an attachment?' });
  await expectAccessible(page, '[role=alertdialog]');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expectMessage(page, text);
  expect(await listOf(desk, person, 'sent')).toEqual([]);
  await panel(page).getByRole('button', { name: 'Send Email' }).click();
  await question.getByRole('button', { name: 'Send anyway' }).click();
  await expect(toast(page, 'Email sent successfully')).toBeVisible();
  expect(await listOf(desk, person, 'sent')).toHaveLength(1);
});

test('a mail whose reply was lost is not sent twice', async ({ matterdesk, google, page }) => {
  const desk = { matterdesk, google, page };
  const person = await openMailbox(desk);
  await page.keyboard.press('c');
  await write(page, { To: 'voss@elsewhere.example', Subject: 'Once', Message: 'Only once.' });
  await page.route('**/mails/sendMail', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await panel(page).getByRole('button', { name: 'Send Email' }).click();
  await expect(toast(page, 'Error in sending mail: ')).toBeVisible();
  await page.unroute('**/mails/sendMail');
  await page.reload();
  await expectMessage(page, 'Only once.');
  await sendMail(page);
  expect(await listOf(desk, person, 'sent')).toHaveLength(1);
});

test('a draft survives minimizing and a reload, and can be resumed from Drafts', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await openMailbox(desk);
  await page.keyboard.press('c');
  await write(page, { To: 'voss@elsewhere.example', Subject: 'Half', Message: 'Half a' });
  await attach(page, 'notes.txt', 'nine inches');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible({ timeout: 10_000 });
  await panel(page).getByRole('button', { name: 'Minimize email' }).click();
  await expect(message(page)).toBeHidden();
  await page.reload();
  await panel(page).getByRole('button', { name: 'Restore email' }).click();
  await expectMessage(page, 'Half a');
  await closeMail(page);
  await page.getByRole('link', { name: /^Drafts/ }).click();
  await row(page, 'Half').click();
  await expect(panel(page).getByLabel('Subject')).toHaveValue('Half');
  await expect(panel(page).getByText('notes.txt')).toBeVisible();
  await write(page, { Message: 'A whole sentence.' });
  await closeMail(page);
  const drafts = await listOf(desk, person, 'drafts');
  expect(drafts.map(({ snippet }) => snippet)).toEqual(['A whole sentence.']);
  expect(drafts[0]?.hasAttachments).toBe(true);
  await row(page, 'A whole sentence.').click();
  await expect(panel(page).getByText('notes.txt')).toBeVisible();
  await write(page, { Message: 'Better not.' });
  await panel(page).getByRole('button', { name: 'Discard draft' }).click();
  await expect(panel(page)).toBeHidden();
  await expect(page.getByText('No drafts')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectMessage(page, 'Better not.');
  await expect(panel(page).getByText('notes.txt')).toBeVisible();
  await closeMail(page);
  await expect(row(page, 'Better not.')).toBeVisible();
});

test('closing asks only when text would be lost', async ({ matterdesk, google, page }) => {
  await openMailbox({ matterdesk, google, page });
  await page.getByRole('button', { name: 'Compose', exact: true }).click();
  // The panel is loaded first; before that, Escape closes nothing.
  await expect(panel(page).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Compose', exact: true })).toBeFocused();
  await page.route('**/mails/drafts', (route) => route.abort());
  await page.keyboard.press('c');
  await write(page, { Message: 'Not to be lost' });
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(panel(page).getByText('Not saved')).toBeVisible();
  await expectMessage(page, 'Not to be lost');
});

test('replies keep the thread, quote, and go to the right recipients', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await openMailbox(desk, [
    { subject: 'The lease', cc: 'jun@elsewhere.example', text: 'Shall we?' },
  ]);
  await row(page, 'The lease').click();
  await expect(reader(page).getByText('Shall we?')).toBeVisible();
  await page.keyboard.press('r');
  const mail = panel(page);
  await expect(message(page)).toBeFocused();
  await expect(recipients(page, 'To')).toHaveAccessibleName('Remove voss@elsewhere.example');
  await expect(mail.getByLabel('Cc', { exact: true })).toHaveCount(0);
  // It stands below the mail, and at the side while another is read.
  await expect(reader(page).locator('[data-compose]')).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(mail).toBeHidden();
  await expect(reader(page).getByRole('heading', { name: 'The lease' })).toBeFocused();
  await page.keyboard.press('a');
  await expect(recipients(page, 'To')).toHaveAccessibleName('Remove voss@elsewhere.example');
  await expect(recipients(page, 'Cc')).toHaveAccessibleName('Remove jun@elsewhere.example');
  await expect(mail.getByLabel('Subject')).toHaveValue('Re: The lease');
  await expect(message(page)).toBeFocused();
  await page.keyboard.type('Gladly.');
  await expectMessage(page, /^Gladly\.\n\nOn .* wrote:\nShall we\?$/);
  await sendMail(page);
  const thread = reader(page).getByRole('navigation', { name: 'Conversation' });
  await expect(thread.getByText('2 emails in this conversation')).toBeVisible();
  await expect(thread.getByRole('link').first()).toHaveAttribute('aria-current', 'page');
  await thread.getByRole('link').last().click();
  await expect(reader(page).getByText('Gladly.').first()).toBeVisible();
  await expectAccessible(page);
  const [inbox] = await listOf(desk, person, 'inbox');
  const [sent] = await listOf(desk, person, 'sent');
  const original = await originalOf(desk, person, sent?.id ?? '');
  const asked = await originalOf(desk, person, inbox?.id ?? '');
  const messageId = /^Message-ID: (<.+>)/im.exec(asked)?.[1];
  expect(original).toContain(`In-Reply-To: ${messageId}`);
  expect(original).toMatch(/^Cc: jun@elsewhere\.example/m);
});

test('files are attached from the computer and from a case, and a forward includes the original', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await newReader(desk, { role: 'admin' });
  await connect(desk, person);
  const caseName = `Abara v. Northline ${Date.now()}`;
  const { id: caseId } = await openCase(matterdesk, person, { caseName });
  const place = { caseId, folder: 'Insurance', name: 'policy.txt' };
  const caller = { url: matterdesk.url, token: person.token };
  await upload(caller, place, Buffer.from('one million dollars'));
  await openEmails(page);
  await page.keyboard.press('c');
  await write(page, { To: 'voss@elsewhere.example', Subject: 'Papers' });
  await drop(page, 'notes.txt');
  await panel(page).getByRole('button', { name: 'Attach from a case' }).click();
  const picker = page.getByRole('dialog', { name: 'Attach from a case' });
  await picker.getByLabel('Case').click();
  await page.getByRole('option', { name: caseName }).click();
  await picker.getByLabel(/policy\.txt/).check();
  await expectAccessible(page, '[role=dialog]:not([data-compose])');
  await picker.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(panel(page).getByText('policy.txt')).toBeVisible();
  await sendMail(page);
  const [sent] = await listOf(desk, person, 'sent');
  const original = await originalOf(desk, person, sent?.id ?? '');
  expect(original).toMatch(/filename="?notes\.txt/);
  expect(original).toMatch(/filename="?policy\.txt/);
  await page.getByRole('link', { name: /^Sent/ }).click();
  await row(page, 'Papers').click();
  await expect(reader(page).getByRole('link', { name: /policy\.txt/ })).toBeVisible();
  await page.keyboard.press('f');
  await expect(panel(page).getByText('The original email, with its attachments')).toBeVisible();
  await expect(panel(page).getByLabel('Subject')).toHaveValue('Fwd: Papers');
});

test('a mail is filed to the case that it mentions', async ({ matterdesk, google, page }) => {
  const caseNo = await readMentioning({ matterdesk, google, page }, 'Abara v. Northline');
  const proposed = page.getByRole('region', { name: 'Proposed case' });
  await expect(proposed).toContainText(`Case number ${caseNo} appears in it`);
  await page.getByRole('button', { name: 'File to case' }).click();
  const dialog = page.getByRole('dialog', { name: 'File to case' });
  await expect(dialog.getByLabel('Case')).toContainText('Abara v. Northline');
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'File to case' }).click();
  await expect(toast(page, 'Email filed')).toBeVisible();
  await expect(dialog).toBeHidden();
  const filed = page.getByRole('region', { name: 'Filed email' });
  await expect(filed).toContainText('Filed here');
  await page.reload();
  await expect(filed).toContainText('Filed here');
  await expect(proposed).toBeHidden();
  await page.getByRole('button', { name: 'File to case' }).click();
  await expect(dialog.getByText(/^Already filed there/)).toBeVisible();
  await dialog.getByRole('button', { name: 'File to case' }).click();
  await expect(toast(page, 'Already filed there')).toBeVisible();
  await expect(dialog).toBeHidden();
  await filed.getByRole('link').click();
  await openTab(page, 'Files');
  await expect(page.getByRole('button', { name: /^E-mail 1 file/ })).toBeVisible();
});

test('a reply in a filed thread is proposed as filed, by one key', async ({
  matterdesk,
  google,
  page,
}) => {
  await readMentioning({ matterdesk, google, page }, 'Abara v. Northline');
  const proposed = page.getByRole('region', { name: 'Proposed case' });
  const filed = page.getByRole('region', { name: 'Filed email' });
  await expect(proposed.getByRole('button', { name: 'File here' })).toBeVisible();
  await page.keyboard.press('y');
  await expect(toast(page, 'Email filed')).toBeVisible();
  await expect(filed).toContainText('Abara v. Northline');
  await page.keyboard.press('r');
  await expect(message(page)).toBeFocused();
  await page.keyboard.type('Gladly, yes.');
  await expect(proposed).toBeHidden();
  await sendMail(page);
  const thread = reader(page).getByRole('navigation', { name: 'Conversation' });
  await thread.getByRole('link').last().click();
  await expect(proposed).toContainText('This thread is filed there');
  await proposed.getByRole('button', { name: 'File here' }).click();
  await expect(filed).toContainText('Abara v. Northline');
  await expect(proposed).toBeHidden();
});

test('a reply with formatting is kept as a draft with it, and sent as text and as HTML', async ({
  matterdesk,
  google,
  page,
}) => {
  const desk = { matterdesk, google, page };
  const person = await newReader(desk);
  await connect(desk, person);
  await deliver(google, person.email, { subject: 'The tender', text: 'Shall we?' });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Emails' }).click();
  await row(page, 'The tender').click();
  await reader(page).getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(message(page)).toBeFocused();
  const tools = panel(page).getByRole('toolbar', { name: 'Formatting' });
  await page.keyboard.type('Dear Mr. Voss, ');
  await tools.getByRole('button', { name: 'Bold' }).click();
  await expect(tools.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.type('we accept');
  await page.keyboard.press('Control+b');
  await expect(tools.getByRole('button', { name: 'Bold' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await page.keyboard.type(' see ');
  await page.keyboard.press('Control+k');
  const link = page.getByRole('dialog', { name: 'Link' });
  await link.getByLabel('Text').fill('the docket');
  await link.getByLabel('Address').fill('javascript:alert(1)');
  await link.getByRole('button', { name: 'Add link' }).click();
  await expect(link.getByText('Enter a web or email address')).toBeVisible();
  await link.getByLabel('Address').fill('court.example/1');
  await expectAccessible(page, '[role=dialog]:not([data-compose])');
  await link.getByLabel('Address').press('Enter');
  await expect(link).toBeHidden();
  await expect(message(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await tools.getByRole('button', { name: 'Bulleted list' }).click();
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await expectAccessible(page, '[data-compose]');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await closeMail(page);

  await page.getByRole('link', { name: /^Drafts/ }).click();
  await row(page, 'Re: The tender').click();
  await expect(message(page).locator('strong')).toHaveText('we accept');
  await expect(message(page).getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(message(page).getByRole('link', { name: 'the docket' })).toBeVisible();
  await expect(message(page).getByRole('blockquote')).toHaveText(['Shall we?']);
  await message(page).getByText('two').click();
  await expect(tools.getByRole('button', { name: 'Bulleted list' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await sendMail(page);
  const [sent] = await listOf(desk, person, 'sent');
  const mailId = sent?.id ?? '';
  expect(await originalOf(desk, person, mailId)).toContain('Content-Type: multipart/alternative');
  const params = { userEmail: person.email, mailId };
  const { data } = await matterdesk.call(mailRoutes.readMail, { token: person.token, params });
  expect(data.message).toMatch(
    /^Dear Mr\. Voss, we accept see the docket \(https:\/\/court\.example\/1\)\n- one\n- two\n/,
  );
  expect(data.message).toMatch(/wrote:\n> Shall we\?$/);
  expect(data.html).toContain('Dear Mr. Voss, <b>we accept</b> see ');
  expect(data.html).toContain('<a href="https://court.example/1">the docket</a>');
  expect(data.html).toContain('<ul><li>one</li><li>two</li></ul>');
});

test('what is pasted into a mail keeps its formats, and nothing else', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page });
  await page.getByRole('button', { name: 'Compose', exact: true }).click();
  await message(page).click();
  await message(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData(
      'text/html',
      '<h1 style="color:red">Order</h1><p><strong style="font-size:40px">granted</strong> ' +
        '<s>in part</s><img src="https://court.example/x.png"></p><ol><li>costs</li></ol>' +
        '<a href="javascript:alert(1)">here</a>',
    );
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(message(page).locator('strong')).toHaveText('granted');
  await expect(message(page).getByRole('listitem')).toHaveText(['costs']);
  await expectMessage(page, 'Order\n\ngranted in part\ncosts\nhere');
  await expect(message(page).locator('h1, s, img, a, [style*=color], [style*=font]')).toHaveCount(
    0,
  );
});

async function write(page: Page, texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts))
    await panel(page).getByLabel(label, { exact: true }).fill(text);
}

async function sendMail(page: Page) {
  await panel(page).getByRole('button', { name: 'Send Email' }).click();
  await expect(toast(page, 'Email sent successfully')).toBeVisible();
}

async function attach(page: Page, name: string, text: string) {
  const input = panel(page).getByLabel('Files to attach');
  await input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect(panel(page).getByRole('button', { name: `Remove ${name}` })).toBeVisible();
}

/** As if from another window. */
async function drop(page: Page, name: string) {
  const dataTransfer = await page.evaluateHandle((name) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['nine inches'], name));
    return transfer;
  }, name);
  await panel(page).dispatchEvent('dragover', { dataTransfer });
  await panel(page).dispatchEvent('drop', { dataTransfer });
  await expect(panel(page).getByRole('button', { name: `Remove ${name}` })).toBeVisible();
}

async function listOf(
  { matterdesk }: Desk,
  { token, email }: Person,
  section: 'inbox' | 'sent' | 'drafts',
) {
  const params = { userEmail: email };
  const reply = await matterdesk.call(mailRoutes.listMails, { token, params, query: { section } });
  return reply.data[section];
}

/** An admin reads a mail that mentions this new case. @returns its number */
async function readMentioning(desk: Desk, caseName: string): Promise<string> {
  const person = await newReader(desk, { role: 'admin' });
  const { caseNo } = await openCase(desk.matterdesk, person, { caseName });
  await connect(desk, person);
  await deliver(desk.google, person.email, { subject: `In ${caseNo}`, text: 'Shall we?' });
  await openEmails(desk.page);
  await row(desk.page, caseNo).click();
  return caseNo;
}

/** The mail as sent: the filed file is the original. */
async function originalOf({ matterdesk }: Desk, { token }: Person, mailId: string) {
  const admin = await matterdesk.register({ role: 'admin' });
  const { id: caseId } = await openCase(matterdesk, admin);
  const params = { mailId };
  const { url } = await matterdesk.call(mailRoutes.fileToCase, { token, params, body: { caseId } });
  const filed = await fetch(matterdesk.url + url, { headers: { 'x-auth-token': token } });
  return filed.text();
}

test('a letter to an inquiry is written in Intakes, and opens as a draft', async ({
  matterdesk,
  google,
  page,
}) => {
  const { token } = await openMailbox({ matterdesk, google, page });
  const body = { name: 'Solveig Brandt', email: 'solveig@brandt.example' };
  const { intake } = await matterdesk.call(intakeRoutes.addIntake, { token, body });
  // The first attempt fails.
  await page.route('**/intakes/settings', (route) => route.abort(), { times: 1 });
  await page.goto(`/dashboard/intakes?intake=${intake.id}`);
  await page
    .getByRole('complementary', { name: 'Intake' })
    .getByRole('button', { name: 'More' })
    .click();
  await page.getByRole('menuitem', { name: 'Write letter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write letter' });
  await dialog.getByRole('button', { name: 'Try again' }).click();
  // The first choice is answered after the second.
  const release = await holdRequests(page, /letter\?template=What/);
  const letters = dialog.getByLabel('Letter', { exact: true });
  await letters.selectOption('What we need from you');
  await letters.selectOption('We cannot take your case');
  await expect(dialog.getByLabel('Text')).toHaveValue(/We have decided not to represent you/);
  const late = page.waitForResponse(/letter\?template=What/);
  release();
  await (await late).finished();
  await expect(dialog.getByLabel('Text')).toHaveValue(/We have decided not to represent you/);
  await dialog.getByRole('button', { name: 'Save and open in Emails' }).click();
  const open = panel(page);
  await expect(open.getByLabel('Subject')).toHaveValue(/^Your inquiry of/);
  await expectMessage(page, /^Dear Solveig Brandt,/);
  await expect(open.getByText('solveig@brandt.example').first()).toBeVisible();
});

test('a signature is written once, and then below new mails and above what a reply quotes', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'Tender of defense' }]);
  await expect(row(page, 'Tender of defense')).toBeVisible();
  await page.keyboard.press('c');
  await expectMessage(page, '');
  await message(page).fill('We accept.');
  await panel(page).getByRole('button', { name: 'Signature' }).click();
  const question = page.getByRole('dialog', { name: 'Signature' });
  await question.getByLabel('Signature').fill('Ada Owusu\nHartwell & Osei');
  await question.getByRole('button', { name: 'Save signature' }).click();
  await expect(toast(page, 'Signature saved')).toBeVisible();
  await expectMessage(page, 'We accept.\n\nAda Owusu\nHartwell & Osei');
  await panel(page).getByRole('button', { name: 'Discard draft' }).click();

  await page.reload();
  await row(page, 'Tender of defense').click();
  await reader(page).getByRole('button', { name: 'Reply', exact: true }).click();
  await expectMessage(
    page,
    /^\n\nAda Owusu\nHartwell & Osei\n\nOn .+ wrote:\nCounsel, our client tenders the defense/,
  );
});
