import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { taskRoutes, type Task } from '@matterdesk/contract/tasks.ts';
import { newCase, newTask } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './connection.ts';
import type { Firm, Person } from './fixtures.ts';

/** An admin with a case, and tasks in Intake and other columns, created through the API. */
export async function makeBoard(
  firm: Firm,
  intake: string[],
  others: Partial<Record<ColumnId, string[]>> = {},
) {
  const admin = await firm.register({ role: 'admin' });
  const opened = await firm.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  const { id: caseId, caseName } = opened.case;
  const tasks: Task[] = [];
  for (const name of intake) tasks.push(await add(firm, admin, { caseId, name }));
  for (const [type, names] of Object.entries(others))
    for (const name of names) {
      const { id } = await add(firm, admin, { caseId, name });
      const sent = { token: admin.token, params: { id }, body: { type } };
      tasks.push(await firm.call(taskRoutes.changeTask, sent));
    }
  return { admin, caseId, caseName, tasks };
}

/** An admin at a board. */
export async function openBoard(
  firm: Firm,
  page: Page,
  ...cards: [string[], Partial<Record<ColumnId, string[]>>?]
) {
  const board = await makeBoard(firm, ...cards);
  await firm.signIn(page, board.admin);
  await showBoard(page, board.caseId);
  return board;
}

/** Another user in another browser, who may not change tasks. */
export async function openSecond(firm: Firm, browser: Browser, caseId: string) {
  const context = await browser.newContext({ baseURL: firm.url });
  const page = await context.newPage();
  await firm.signIn(page, await firm.register());
  await showBoard(page, caseId);
  return page;
}

/** Waits for the board and its connection: from then on it receives events. */
async function showBoard(page: Page, caseId: string) {
  await openConnected(page, `/dashboard/tasks?case=${caseId}`);
  await expect(column(page, 'intake').locator('h2')).toHaveText(/Intake\d+/);
}

/** A task in Intake, created through the API. */
export async function add(
  firm: Firm,
  admin: Person,
  { caseId, ...own }: { caseId: string; name: string; startTime?: string; endTime?: string },
): Promise<Task> {
  const body = { ...newTask({ case: caseId, assignedTo: admin.id }), ...own };
  return (await firm.call(taskRoutes.addTask, { token: admin.token, body })).tasks;
}

/** A column by its id, with heading and cards. */
export function column(page: Page, id: ColumnId) {
  return page.locator(`[data-column=${id}]`);
}

/** A card by its task's name. */
export function card(page: Page, name: string) {
  return page.getByRole('group', { name, exact: true });
}

/** Id of a card's column. */
export function columnOf(page: Page, name: string) {
  return card(page, name).evaluate((element) =>
    element.closest('[data-column]')?.getAttribute('data-column'),
  );
}

const grip = { x: 40, y: 40 };

/** Drags a card with the mouse and drops it on a target. */
export async function drag(page: Page, name: string, target: Locator) {
  await card(page, name).dragTo(target, { sourcePosition: grip });
}

/** Drops it on the upper half of another card. */
export async function dragAbove(page: Page, name: string, other: string) {
  const targetPosition = { x: 40, y: 4 };
  await card(page, name).dragTo(card(page, other), { sourcePosition: grip, targetPosition });
}

/** Picks an option in the dialog. */
export async function choose(page: Page, label: string, name: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name }).first().click();
}

/** Waits until these columns hold exactly these tasks in this order. */
export async function expectColumns(page: Page, columns: Partial<Record<ColumnId, string[]>>) {
  for (const [id, names] of Object.entries(columns))
    await expect(column(page, id as ColumnId).locator('h3')).toHaveText(names);
}
