import { expect, type Locator, type Page } from '@playwright/test';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Firm, Person } from './fixtures.ts';
import { openHearing } from './line.ts';

/** A user with a number. */
export type Texter = Person & { number: string };

/** An admin who bought a number. */
export async function registerTexter(firm: Firm): Promise<Texter> {
  const person = await firm.register({ role: 'admin' });
  const { token, email } = person;
  const { numbers } = await firm.call(messageRoutes.listOffers, { token });
  const phoneNumber = numbers[0]?.phoneNumber ?? '';
  await firm.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  return { ...person, number: phoneNumber };
}

/** A user with a number at the connected messages page. */
export async function openMessages(firm: Firm, page: Page): Promise<Texter> {
  const texter = await registerTexter(firm);
  await firm.signIn(page, texter);
  await showMessages(page);
  return texter;
}

/** Waits for the connection: from then on the page receives events. */
export async function showMessages(page: Page): Promise<void> {
  await openHearing(page, '/dashboard/messages');
  await expect(page.getByRole('button', { name: 'Add New Contact' })).toBeVisible();
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

export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text);
}
