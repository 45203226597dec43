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

/** Somebody whose address has a mailbox at Google, signed in and not connected yet. */
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

/** The address of a mailbox that is nobody's yet. */
export function spareAccount(): string {
  taken += 1;
  return ACCOUNTS[taken - 1]?.email ?? '';
}

/** Connects a person by the API. */
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

/** Somebody at their own mailbox, with these mails in it, the last one at its top. */
export async function openMailbox(desk: Desk, mails: readonly Letter[] = []) {
  const person = await newReader(desk);
  await connect(desk, person);
  for (const [at, mail] of mails.entries()) {
    // A minute lies between each two: a list of one second has no order.
    const date = new Date(Date.now() - (mails.length - at) * 60_000);
    await deliver(desk.google, person.email, { date, ...mail });
  }
  await openEmails(desk.page);
  return person;
}

/** Through the navigation, as somebody who has just signed in gets there. */
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

/** A row of the list, by what it says. */
export function row(page: Page, text: string | RegExp): Locator {
  return page.getByRole('list', { name: 'Mails' }).getByRole('link').filter({ hasText: text });
}

export function reader(page: Page): Locator {
  return page.getByRole('article');
}

/** The panel in which a mail is written. */
export function panel(page: Page): Locator {
  return page.locator('[data-compose]');
}

export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text);
}
