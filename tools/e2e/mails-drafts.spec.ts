import { expect, type Page } from '@playwright/test';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { newContact } from '@matterdesk/server/testing/factories.ts';
import { test } from './support/connected.ts';
import { holdRequests } from './support/fixtures.ts';
import {
  closeMail,
  connect,
  expectMessage,
  message,
  newReader,
  openEmails,
  openMailbox,
  panel,
  reader,
  recipients,
  row,
} from './support/mailbox.ts';

async function saveDraft(page: Page, subject: string) {
  await page.keyboard.press('c');
  await panel(page).getByLabel('Subject').fill(subject);
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await closeMail(page);
}

test('a draft that is read late does not replace the mail that is written by then', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page });
  await saveDraft(page, 'To the court');
  await saveDraft(page, 'To the client');
  await page.getByRole('link', { name: /^Drafts/ }).click();
  const subject = panel(page).getByLabel('Subject');
  const reads = '**/mails/readMail/**';
  const releaseFirst = await holdRequests(page, reads, { times: 1 });
  await row(page, 'To the court').click();
  await row(page, 'To the client').click();
  await expect(subject).toHaveValue('To the client');
  const late = page.waitForResponse(reads);
  releaseFirst();
  await (await late).finished();
  await subject.fill('To the client, again');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await expect(subject).toHaveValue('To the client, again');
  await closeMail(page);
  await expect(row(page, 'To the client, again')).toBeVisible();

  const releaseSecond = await holdRequests(page, reads, { times: 1 });
  await row(page, 'To the court').click();
  await page.keyboard.press('c');
  await expect(panel(page).getByLabel('To', { exact: true })).toBeFocused();
  const later = page.waitForResponse(reads);
  releaseSecond();
  await (await later).finished();
  await subject.fill('To the clerk');
  await expect(panel(page).getByText(/^Saved at/)).toBeVisible();
  await expect(subject).toHaveValue('To the clerk');
  await closeMail(page);
  await expect(row(page, /To the cl(?:erk|ient, again)|To the court/)).toHaveCount(3);
});

test('keys pressed while a mail is saved for the next are no shortcuts, and become its text', async ({
  matterdesk,
  google,
  page,
}) => {
  await openMailbox({ matterdesk, google, page }, [{ subject: 'The lease', text: 'Shall we?' }]);
  await row(page, 'The lease').click();
  await expect(reader(page).getByRole('button', { name: 'Archive' })).toBeVisible();
  const release = await holdRequests(page, '**/mails/drafts');
  await page.keyboard.press('c');
  await panel(page).getByLabel('Subject').fill('To the court');
  await reader(page).getByRole('button', { name: 'Reply', exact: true }).click();
  await page.keyboard.type('Dear ');
  await expect(panel(page).getByLabel('Subject')).toHaveValue('To the court');
  release();
  await expect(panel(page).getByLabel('Subject')).toHaveValue('Re: The lease');
  await expect(message(page)).toBeFocused();
  await page.keyboard.type('Piet');
  await expectMessage(page, /^Dear Piet\n\nOn .+ wrote:\nShall we\?$/);
  await expect(row(page, 'The lease')).toBeVisible();
  await expect(recipients(page, 'To')).toHaveAccessibleName('Remove voss@elsewhere.example');

  // A draft that cannot be saved stays, and the keys go back to where they came from.
  await page.route(/\/mails\/drafts/, (route) => route.abort());
  await page.keyboard.type(' Voss');
  await reader(page).getByRole('button', { name: 'Reply', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expectMessage(page, /^Dear Piet Voss\n/);
});

test('words typed right after the palette began a mail are for its recipient', async ({
  matterdesk,
  google,
  page,
}) => {
  const person = await newReader({ matterdesk, page }, { role: 'admin' });
  await connect({ matterdesk, google }, person);
  const { token } = person;
  const name = 'Isaura Quandt';
  const body = newContact({ name, emails: ['isaura@quandt.example'] });
  await matterdesk.call(contactRoutes.addContact, { token, body });
  await openEmails(page);
  const release = await holdRequests(page, '**/mails/drafts');
  await page.keyboard.press('c');
  const subject = panel(page).getByLabel('Subject');
  await subject.fill('To the court');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(name);
  await page.getByRole('option', { name: `Compose to ${name}` }).click();
  await expect(page.getByRole('textbox', { name: 'New email' })).toBeFocused();
  await page.keyboard.type('Good ');
  await expect(subject).toHaveValue('To the court');
  release();
  await expect(recipients(page, 'To')).toHaveAccessibleName('Remove isaura@quandt.example');
  await expect(message(page)).toBeFocused();
  await page.keyboard.type('morning');
  await expectMessage(page, 'Good morning');
  await closeMail(page);
  await page.getByRole('link', { name: /^Drafts/ }).click();
  await expect(row(page, 'To the court')).toBeVisible();
});
