import { expect, type Locator, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { newCase, unique } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './connection.ts';
import type { Firm, Person } from './fixtures.ts';

/** A user with a number. */
export type TextingPerson = Person & { number: string };

/** An admin who bought a number. */
export async function registerTexter(firm: Firm): Promise<TextingPerson> {
  const person = await firm.register({ role: 'admin' });
  const { token, email } = person;
  const { numbers } = await firm.call(messageRoutes.listOffers, { token });
  const phoneNumber = numbers[0]?.phoneNumber ?? '';
  await firm.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  return { ...person, number: phoneNumber };
}

/** A user with a number at the connected messages page. */
export async function openMessages(firm: Firm, page: Page): Promise<TextingPerson> {
  const texter = await registerTexter(firm);
  await firm.signIn(page, texter);
  await showMessages(page);
  return texter;
}

/** Waits for the connection: from then on the page receives events. */
export async function showMessages(page: Page): Promise<void> {
  // Before the page measures times itself.
  await startAtNoon(page);
  await openConnected(page, '/dashboard/messages');
  await expect(page.getByRole('button', { name: 'Add New Contact' })).toBeVisible();
}

/** In UTC; the tests' numbers are from there. */
const NOON_IN_NEW_YORK = 17;

/** Sets the clock to daytime: at night, texting asks for confirmation first. */
export async function startAtNoon(page: Page): Promise<void> {
  // Yesterday's, since a clock that goes forward locks the page.
  const noon = new Date(Date.now() - 24 * 3_600_000);
  noon.setUTCHours(NOON_IN_NEW_YORK, 0, 0, 0);
  await page.clock.setSystemTime(noon);
}

/** Starts a conversation through the dialog: '1 234 567 8910'. */
export async function addContact(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Add New Contact' }).click();
  await page.getByLabel('Phone Number').fill(number);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: `+${number}` })).toBeVisible();
}

export function contacts(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Contacts' });
}

/** An outside number that is unique in a process. */
export function outsider() {
  const last = String(1000 + unique()).slice(-4);
  return { number: `+1646555${last}`, typed: `1 646 555 ${last}` };
}

/** Texts of the open conversation. */
export function log(page: Page): Locator {
  return page.getByRole('log');
}

export function box(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text message' });
}

export async function send(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await box(page).press('Enter');
  await expect(log(page).getByText(text, { exact: true })).toBeVisible();
}

/** A case whose client has this number. */
export async function openCaseOf(
  firm: Firm,
  { token }: TextingPerson,
  { phoneNumber, name = 'Ngozi Abara' }: { phoneNumber: string; name?: string },
) {
  const blank = newCase({ caseNo: `CV-${unique()}-${Date.now()}` });
  const body = { ...blank, clientInfo: { ...blank.clientInfo, name, phoneNumber } };
  const opened = (await firm.call(caseRoutes.openCase, { token, body })).case;
  return { caseId: opened.id, caseName: opened.caseName };
}
