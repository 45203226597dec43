import { expect, type Locator, type Page } from '@playwright/test';
import type { Registration } from '@matterdesk/contract/accounts.ts';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import type { Google } from '@matterdesk/server/testing/google.ts';
import { ACCOUNTS } from './connected.ts';
import type { Firm, Person } from './fixtures.ts';

let taken = 0;

type Letter = Parameters<typeof composeMail>[0];

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
  const { data } = await matterdesk.call(mailRoutes.startConnecting, { token });
  const { code, state } = await google.grant(data, account);
  await matterdesk.call(mailRoutes.finishConnecting, {
    token,
    body: { code, state, userEmail: email },
  });
}

/** A user at their mailbox with these mails, the last one on top. */
export async function openMailbox(desk: Desk, mails: readonly Letter[] = []) {
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

export async function deliver(google: Google, to: string, mail: Letter): Promise<string> {
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
  return page.getByRole('list', { name: 'Mails' }).getByRole('link').filter({ hasText: text });
}

export function reader(page: Page): Locator {
  return page.getByRole('article');
}

/** The compose panel. */
export function panel(page: Page): Locator {
  return page.locator('[data-compose]');
}

/** The recipients of a field of the compose panel, such as 'To'. */
export function recipients(page: Page, label: string): Locator {
  const field = panel(page).getByLabel(label, { exact: true });
  return field.locator('xpath=..').getByRole('button', { name: /^Remove / });
}

export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text);
}
