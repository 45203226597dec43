import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { caseRoutes, type FiledCase, type NewCase } from '@matterdesk/contract/cases.ts';
import { newCase, unique } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './connection.ts';
import type { Firm, Person } from './fixtures.ts';

/** An admin at the list of their own active cases, the last one on top. */
export async function openMatters(
  matterdesk: Firm,
  page: Page,
  names: readonly string[] = [],
): Promise<{ admin: Person; cases: FiledCase[]; tag: string }> {
  const tag = `T${unique()}${Date.now()}`;
  const admin = await matterdesk.register({ role: 'admin' });
  const cases: FiledCase[] = [];
  for (const name of names)
    cases.push(await openCase(matterdesk, admin, { caseName: `${name} ${tag}` }));
  await matterdesk.signIn(page, admin);
  await page.goto('/dashboard/matters');
  return { admin, cases, tag };
}

export async function openCase(
  matterdesk: Firm,
  { token }: Pick<Person, 'token'>,
  own: Partial<NewCase> = {},
): Promise<FiledCase> {
  const body = newCase({ caseNo: `CV-${unique()}-${Date.now()}`, ...own });
  return (await matterdesk.call(caseRoutes.openCase, { token, body })).case as FiledCase;
}

/** Another user at the list of matters, in another browser. */
export async function openColleague(matterdesk: Firm, browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: matterdesk.url })).newPage();
  await matterdesk.signIn(page, await matterdesk.register());
  await openConnected(page, '/dashboard/matters');
  await expect(table(page)).toHaveAttribute('aria-rowcount', /\d/);
  return page;
}

export function table(page: Page): Locator {
  return page.getByRole('table', { name: 'Matters' });
}

/** A case's row by its name. */
export function row(page: Page, name: string): Locator {
  return table(page).getByRole('row').filter({ hasText: name });
}

export function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Fills the dialog's first step; `own` overrides fields by label. */
export async function fillCase(page: Page, own: Record<string, string>): Promise<void> {
  const texts = {
    'Case Name': 'Abara v. Northline Freight',
    'Case No': `CV-${unique()}-${Date.now()}`,
    Judge: 'Hon. M. Osei',
    'Date Of Opening': '2026-03-02',
    'Managing Attorney': 'R. Lindqvist',
    DOI: '2025-02-12',
    SOL: '2027-02-12',
  };
  const choices = { 'Status Type': 'Active', Status: 'Litigation', Type: 'PI' };
  for (const [label, text] of Object.entries({ ...texts, ...own }))
    await dialog(page).getByLabel(label, { exact: true }).fill(text);
  for (const [label, choice] of Object.entries(choices))
    await dialog(page).getByLabel(label, { exact: true }).selectOption(choice);
}

/** Fills the dialog's second step. */
export async function fillParties(page: Page): Promise<void> {
  const client = dialog(page).getByRole('group', { name: 'Client Info' });
  const counsel = dialog(page).getByRole('group', { name: 'Opposing Counsel Info' });
  for (const party of [client, counsel]) {
    await party.getByLabel('Name').fill('Ngozi Abara');
    await party.getByLabel('Phone Number').fill('+1 212 555 0111');
    await party.getByLabel('Email').fill('ngozi@example.com');
    await party.getByLabel('Address').fill('12 Elm Street\nAlbany NY');
  }
  await counsel.getByLabel('Organization').fill('Hale & Voss LLP');
}

/** A CSV file of cases whose names start with `name`. */
export function csvOf(name: string, count: number): string {
  const header = Object.keys(csvRow(name, 0)).join(',');
  const rows = Array.from({ length: count }, (_, index) => Object.values(csvRow(name, index)));
  return [header, ...rows.map((cells) => cells.join(','))].join('\r\n');
}

function csvRow(name: string, index: number): Record<string, string> {
  return {
    caseName: `"${name}, ${index + 1}"`,
    caseNo: `${name}-${index + 1}`,
    statusType: 'Active',
    status: 'ADR',
    type: 'Civil',
    judge: 'Hon. M. Osei',
    dateOfOpening: '2026-03-02',
    managingAttorney: 'R. Lindqvist',
    DOI: '2025-02-12',
    SOL: '2027-02-12',
    daysOpen: '12',
    'clientInfo.name': 'Ngozi Abara',
    'clientInfo.phoneNumber': '1',
    'clientInfo.email': 'ngozi@example.com',
    'clientInfo.address': '12 Elm Street',
    'opposingCounselInfo.organization': 'Hale & Voss LLP',
    'opposingCounselInfo.name': 'Piet Voss',
    'opposingCounselInfo.phoneNumber': '2',
    'opposingCounselInfo.email': 'piet@example.com',
    'opposingCounselInfo.address': '1 Court Plaza',
  };
}

/** Opens a tab of the matter whose page is shown. */
export async function openTab(
  page: Page,
  name: 'Stream' | 'Files' | 'Tasks' | 'Dates' | 'Details',
): Promise<void> {
  const tab = page.getByRole('tab', { name, exact: true });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** Opens an entry of the menu of the matter whose page is shown. */
export async function openFromMenu(
  page: Page,
  name: 'Board' | 'Deadlines' | 'Access',
): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}
