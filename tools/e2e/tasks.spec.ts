import { expect } from '@playwright/test';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { createClient, nextEvent } from '@matterdesk/server/testing/client.ts';
import { holdConnection, openConnected, keepOffline } from './support/connection.ts';
import { expectAccessible, expectKept, toast } from './support/expect.ts';
import { refusal, test } from './support/fixtures.ts';
import {
  add,
  card,
  choose,
  column,
  columnOf,
  drag,
  dragAbove,
  expectColumns,
  makeBoard,
  openBoard,
  openSecond,
} from './support/task-board.ts';

const NOT_ALLOWED = "You're not allowed to take this action";

test.describe('a move', () => {
  test('by dragging appears on another browser’s board right away, with a name tag', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { admin, caseId } = await openBoard(matterdesk, page, [
      'Call the client',
      'File the suit',
    ]);
    const watcher = await openSecond(matterdesk, browser, caseId);
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await drag(page, 'Call the client', column(page, 'discovery'));
    // Visible for seconds only.
    await expect(card(watcher, 'Call the client')).toContainText(
      `${admin.firstName} ${admin.lastName} just moved this`,
    );
    await expect(toast(page, 'Task updated', { exact: true })).toHaveCount(0);
    expect((await asked).postDataJSON()).toEqual({ type: 'discovery' });
    await expectColumns(page, { intake: ['File the suit'], discovery: ['Call the client'] });
    await expectColumns(watcher, { intake: ['File the suit'], discovery: ['Call the client'] });
    await expect(watcher.getByText('just moved this')).toBeHidden();
  });

  test('the board puts the card where it was dropped for the mover, and at the end for everyone else', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { caseId, tasks } = await openBoard(matterdesk, page, ['Mover'], {
      adr: ['First', 'Second'],
    });
    const watcher = await openSecond(matterdesk, browser, caseId);
    await dragAbove(page, 'Mover', 'Second');
    await expectColumns(page, { adr: ['First', 'Mover', 'Second'] });
    await expectColumns(watcher, { adr: ['First', 'Second', 'Mover'] });
    await expectKept(page, 'tasks', new RegExp(`"adr":\\[[^\\]]*${tasks[0]?.id}`));
    await page.reload();
    await expectColumns(page, { adr: ['First', 'Mover', 'Second'] });
  });

  test('that fails moves nothing and gives the reason', async ({ matterdesk, page }) => {
    await openBoard(matterdesk, page, ['Call the client']);
    await page.route('**/api/v1/tasks/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    );
    await drag(page, 'Call the client', column(page, 'adr'));
    await expect(
      toast(page, 'Couldn’t move the task: Can’t reach Matterdesk. Check your connection.', {
        exact: true,
      }),
    ).toBeVisible();
    await expectColumns(page, { intake: ['Call the client'], adr: [] });
    await page.unroute('**/api/v1/tasks/*');
    await page.route('**/api/v1/tasks/*', async (route) => {
      await expect(card(page, 'Call the client')).toHaveAttribute('aria-busy', 'true');
      await route.fulfill(refusal('unexpected', 'Something went wrong'));
    });
    await drag(page, 'Call the client', column(page, 'adr'));
    await expect(
      toast(page, 'Couldn’t move the task: Something went wrong', { exact: true }),
    ).toBeVisible();
    await expectColumns(page, { intake: ['Call the client'], adr: [] });
    await expect(card(page, 'Call the client')).not.toHaveAttribute('aria-busy');
  });

  test('within a column is the user’s own, sends no request, and survives a reload', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { caseId, tasks } = await openBoard(matterdesk, page, ['One', 'Two', 'Three']);
    const watcher = await openSecond(matterdesk, browser, caseId);
    const writes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && writes.push(request.url()));
    await dragAbove(page, 'Three', 'One');
    await expectColumns(page, { intake: ['Three', 'One', 'Two'] });
    await drag(page, 'Three', page.getByRole('heading', { name: 'Tasks', exact: true }));
    await drag(page, 'One', card(page, 'One'));
    await expectKept(page, 'tasks', new RegExp(`"intake":\\[[^\\]]*${tasks[2]?.id}`));
    await page.reload();
    await expectColumns(page, { intake: ['Three', 'One', 'Two'] });
    expect(writes).toEqual([]);
    await expectColumns(watcher, { intake: ['One', 'Two', 'Three'] });
  });

  test('of two users at once ends the same on both boards', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { admin, caseId } = await openBoard(matterdesk, page, ['Wanted']);
    const second = await openSecond(matterdesk, browser, caseId);
    await Promise.all([
      drag(page, 'Wanted', column(page, 'adr')),
      drag(second, 'Wanted', column(second, 'discovery')),
    ]);
    for (const one of [page, second]) {
      await expect(card(one, 'Wanted')).not.toHaveAttribute('aria-busy');
      await expect(column(one, 'intake').locator('h3')).toHaveCount(0);
    }
    const asked = { token: admin.token, params: { id: caseId } };
    const { columns } = (await matterdesk.call(taskRoutes.readBoard, asked)).tasks;
    const where = Object.values(columns).find(({ items }) => items.length > 0)?.id;
    for (const one of [page, second]) await expect.poll(() => columnOf(one, 'Wanted')).toBe(where);
  });

  test('to another column is undone from its message, at its old place', async ({
    matterdesk,
    page,
  }) => {
    const { caseId } = await makeBoard(matterdesk, []);
    const person = await matterdesk.register({ role: 'admin' });
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
      await add(matterdesk, person, {
        caseId,
        name: `${name}: bills of March`,
        startTime: '2026-01-05T15:00:00.000Z',
        endTime: '2026-01-09T15:00:00.000Z',
      });
    await page.setViewportSize({ width: 1440, height: 900 });
    await matterdesk.signIn(page, person);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    const { caseName, caseNo } = await matterdesk
      .call(caseRoutes.readCase, { token: person.token, params: { id: caseId } })
      .then((found) => found.case);
    await page.getByRole('combobox', { name: 'Case' }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill(caseNo ?? '');
    await page.getByRole('option', { name: caseName }).click();
    const cards = column(page, 'intake').getByRole('group');
    await expect(cards).toHaveCount(6);
    for (const text of ['Start', 'End', 'late', 'Type', 'Assigned To'])
      await expect(cards.first().getByText(text).first()).toBeVisible();
    const boxOf = async (text: string | RegExp) => {
      const box = await cards.first().getByText(text, { exact: true }).boundingBox();
      return box ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    const [end, late] = [await boxOf('End'), await boxOf(/ late$/)];
    expect(late.x).toBeGreaterThanOrEqual(end.x + end.width);
    expect(Math.abs(late.y - end.y)).toBeLessThan(3);
    await expect(cards.nth(4)).toBeInViewport({ ratio: 1 });
    const names = await column(page, 'intake').locator('h3').allTextContents();
    const [first = ''] = names;
    await drag(page, first, column(page, 'adr'));
    await expect(page.getByText('Task moved to ADR')).toBeVisible();
    await expectColumns(page, { intake: names.slice(1), adr: [first] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectColumns(page, { intake: names, adr: [] });
  });

  test('with the keyboard crosses columns, keeps the focus and is announced', async ({
    matterdesk,
    page,
  }) => {
    await openBoard(matterdesk, page, ['One', 'Two'], { finalLawsuit: ['Three'] });
    await page.getByRole('button', { name: 'New Task in Intake' }).focus();
    await page.keyboard.press('Tab');
    await expect(card(page, 'One')).toBeFocused();
    await page.keyboard.press('j');
    await expect(card(page, 'Two')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(card(page, 'Three')).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('k');
    await expect(card(page, 'One')).toBeFocused();
    await page.keyboard.press('Control+ArrowDown');
    await expectColumns(page, { intake: ['Two', 'One'] });
    await expect(card(page, 'One')).toBeFocused();
    await expect(page.getByText('One is now position 2 of 2 in Intake')).toBeAttached();
    await page.keyboard.press('Control+ArrowRight');
    await expectColumns(page, { intake: ['Two'], demandOfInsurance: ['One'] });
    await expect(card(page, 'One')).toBeFocused();
    await expect(
      page.getByText('One moved to Demand of Insurance, position 1 of 1'),
    ).toBeAttached();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Edit Task' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(card(page, 'One')).toBeFocused();
  });

  test('by a card’s menu does what dragging does @phone', async ({ matterdesk, page }) => {
    await openBoard(matterdesk, page, ['One', 'Two']);
    await page.getByRole('button', { name: 'Move to… One' }).tap();
    await expectAccessible(page, '[role=menu]');
    await page.getByRole('menuitem', { name: 'Move down' }).tap();
    await expectColumns(page, { intake: ['Two', 'One'] });
    await page.getByRole('button', { name: 'Move to… One' }).tap();
    await page.getByRole('menuitem', { name: 'Final Lawsuit' }).tap();
    await expectColumns(page, { intake: ['Two'], finalLawsuit: ['One'] });
    await expectAccessible(page);
  });
});

test('a user who may not change tasks can move cards, but not add one', async ({
  matterdesk,
  page,
}) => {
  const user = await matterdesk.register();
  const { caseId } = await makeBoard(matterdesk, ['Call the client']);
  await matterdesk.signIn(page, user);
  await page.goto(`/dashboard/tasks?case=${caseId}`);
  await expect(card(page, 'Call the client')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New Task', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'New Task in Discovery' }).click();
  await expect(toast(page, NOT_ALLOWED, { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await drag(page, 'Call the client', column(page, 'adr'));
  await expectColumns(page, { adr: ['Call the client'] });
});

test.describe('the task dialog', () => {
  test('the board names missing fields, keeps typed text, and adds to the column that was asked for', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { admin, caseId, caseName } = await openBoard(matterdesk, page, []);
    const watcher = await openSecond(matterdesk, browser, caseId);
    await page.getByRole('button', { name: 'New Task in Discovery' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add New Task' });
    await expect(dialog).toContainText('In Discovery');
    await expect(dialog.getByRole('combobox', { name: 'Assigned To' })).toContainText(
      `${admin.firstName} ${admin.lastName}`,
    );
    await dialog.getByRole('combobox', { name: 'Assigned To' }).click();
    await page.getByRole('option', { name: 'Select any user' }).click();
    for (const label of ['Start Time', 'End Time']) await dialog.getByLabel(label).fill('');
    await dialog.getByRole('combobox', { name: 'Case' }).click();
    await page.getByRole('option', { name: 'Select any case' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const text of [
      'Name is required',
      'Start time is required',
      'End time is required',
      'Please select any case',
      'Please select any user',
    ])
      await expect(dialog.getByText(text, { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expectAccessible(page, '[role=dialog]');
    await dialog.getByLabel('Name').fill('Call the client');
    await dialog.getByLabel('Start Time').fill('2026-07-01T09:00');
    await dialog.getByLabel('End Time').fill('2026-07-01T08:59');
    await choose(page, 'Assigned To', `${admin.firstName} ${admin.lastName}`);
    await choose(page, 'Case', caseName);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('End time must not be before start time')).toBeVisible();
    await dialog.getByLabel('End Time').fill('2026-11-18T09:00');
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const request = await asked;
    // Summer and winter in New York: the clock says nine on both days, the wire does not.
    expect(request.postDataJSON()).toEqual({
      name: 'Call the client',
      description: '',
      startTime: '2026-07-01T13:00:00.000Z',
      endTime: '2026-11-18T14:00:00.000Z',
      case: caseId,
      assignedTo: admin.id,
      assignee: admin.id,
      type: 'intake',
    });
    expect(request.headers()['idempotency-key']).toMatch(/.{16,}/);
    await expect(toast(page, 'Task created', { exact: true })).toBeVisible();
    await expect(dialog).toBeHidden();
    await expectColumns(page, { intake: [], discovery: ['Call the client'] });
    await expectColumns(watcher, { intake: [], discovery: ['Call the client'] });
    await expect(card(page, 'Call the client')).toContainText('Start07/01/2026End11/18/2026');
  });

  test('the board shows a refusal under its field, and asks before discarding', async ({
    matterdesk,
    page,
  }) => {
    await openBoard(matterdesk, page, ['Call the client']);
    const message = 'Please select any user';
    await page.route('**/api/v1/tasks/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill(refusal('invalidInput', message, [{ path: 'assignedTo', message }]))
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Edit Call the client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Task' });
    await dialog.getByLabel('Name').fill('Call the witness');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText(message)).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Assigned To' })).toBeFocused();
    await expect(dialog.getByLabel('Name')).toHaveValue('Call the witness');
    await dialog.getByRole('button', { name: 'Close' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog.getByLabel('Name')).toHaveValue('Call the witness');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await expectColumns(page, { intake: ['Call the client'] });
  });

  test('the board says in its form what someone else changes in the task meanwhile', async ({
    matterdesk,
    page,
  }) => {
    const { admin, tasks } = await openBoard(matterdesk, page, ['Call the client']);
    const [{ id } = { id: '' }] = tasks;
    await page.getByRole('button', { name: 'Edit Call the client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Task' });
    await dialog.getByLabel('Description').fill('After lunch');
    const body = { name: 'Call the witness', description: 'Before nine' };
    await matterdesk.call(taskRoutes.changeTask, { token: admin.token, params: { id }, body });
    await expect(
      dialog.getByText('Someone else changed this to “Before nine” meanwhile.'),
    ).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('Call the witness');
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON()).toEqual({ description: 'After lunch' });
    await expect(dialog).toBeHidden();
  });

  test('the board sends only changes, and keeps an hour that the clock shows twice', async ({
    matterdesk,
    page,
  }) => {
    const { admin, caseId } = await openBoard(matterdesk, page, []);
    const [startTime, endTime] = ['2026-11-01T05:45:00.000Z', '2026-11-01T06:15:30.000Z'];
    await add(matterdesk, admin, { caseId, name: 'Night watch', startTime, endTime });
    await page.getByRole('button', { name: 'Edit Night watch' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Task' });
    await expect(dialog.getByLabel('Start Time')).toHaveValue('2026-11-01T01:45');
    await expect(dialog.getByLabel('End Time')).toHaveValue('2026-11-01T01:15');
    await expect(dialog.getByRole('combobox', { name: 'Case' })).toContainText('Doe v. Roe');
    await dialog.getByLabel('Name').fill('Early watch');
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON()).toEqual({ name: 'Early watch' });
    await expect(toast(page, 'Task updated', { exact: true })).toBeVisible();
    await expectColumns(page, { intake: ['Early watch'] });
  });

  test('the board deletes a task for everyone, after asking', async ({
    matterdesk,
    page,
    browser,
  }) => {
    const { caseId } = await openBoard(matterdesk, page, ['Call the client', 'Other']);
    const watcher = await openSecond(matterdesk, browser, caseId);
    await page.getByRole('button', { name: 'Edit Call the client' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this task?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page, '[role=alertdialog]');
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, 'Task deleted', { exact: true })).toBeVisible();
    await expectColumns(page, { intake: ['Other'] });
    await expect(card(page, 'Other')).toBeFocused();
    await expectColumns(watcher, { intake: ['Other'] });
  });
});

test.describe('the board', () => {
  test('the board asks for a case, finds cases by name, and keeps the choice in the URL', async ({
    matterdesk,
    page,
  }) => {
    const { admin, caseId, caseName } = await makeBoard(matterdesk, ['Call the client']);
    await matterdesk.signIn(page, admin);
    await page.goto('/dashboard/tasks');
    await expect(page.getByText('No case chosen')).toBeVisible();
    await expectAccessible(page);
    const titles = ['Intake', 'Demand of Insurance', 'Final Lawsuit', 'Discovery', 'ADR'];
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(titles);
    for (const title of titles)
      await expect(page.getByRole('button', { name: `New Task in ${title}` })).toBeVisible();
    const dropdown = page.getByRole('combobox', { name: 'Case' });
    await expect(dropdown).toHaveText('Select any case');
    await dropdown.click();
    await expect(page.getByRole('option').first()).toHaveText('Select any case');
    await expectAccessible(page, '[role=dialog]');
    await page.getByRole('combobox', { name: 'Search' }).fill(caseName.toUpperCase());
    await page.getByRole('option', { name: caseName }).first().click();
    await expectColumns(page, { intake: ['Call the client'] });
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeEmpty();
    expect(new URL(page.url()).searchParams.get('case')).toBe(caseId);
    await expect(dropdown).toContainText(caseName);
    await expectAccessible(page);
  });

  test('distinguishes an unknown case from one that failed to load, and retries', async ({
    matterdesk,
    page,
  }) => {
    const { admin, caseId } = await makeBoard(matterdesk, ['Call the client']);
    await matterdesk.signIn(page, admin);
    await keepOffline(page);
    await page.goto('/dashboard/tasks?case=nobody');
    await expect(page.getByText('Case not found')).toBeVisible();
    await expectAccessible(page);
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/v1/tasks/*', async (route) => {
      await asked.promise;
      await route.abort();
    });
    await page.goto(`/dashboard/tasks?case=${caseId}`);
    await expect(page.locator('[aria-busy=true] [data-column]')).toHaveCount(5);
    await expectAccessible(page);
    asked.resolve();
    await expect(page.getByRole('alert')).toContainText('Couldn’t load the board');
    await expectAccessible(page);
    await page.unroute('**/api/v1/tasks/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectColumns(page, { intake: ['Call the client'] });
  });

  test('the board is fetched again when its connection comes back, and says so when there is no answer', async ({
    matterdesk,
    page,
  }) => {
    const { admin, caseId, tasks } = await makeBoard(matterdesk, ['Call the client']);
    await matterdesk.signIn(page, admin);
    const line = await holdConnection(page);
    await openConnected(page, `/dashboard/tasks?case=${caseId}`);
    await expectColumns(page, { intake: ['Call the client'] });
    // The connection asked for the board again: an answer that is under way would bring the change.
    await page.waitForLoadState('networkidle');
    // From here on, or the page might fetch the change before its line is back.
    await page.route('**/api/v1/tasks/*', (route) => route.abort());
    await line.cut();
    await expect(page.getByText('Can’t reach Matterdesk.')).toBeVisible();
    const other = createClient(matterdesk.url);
    const sent = nextEvent(await other.socket(admin.token), 'task.updated');
    await matterdesk.call(taskRoutes.changeTask, {
      token: admin.token,
      params: { id: tasks[0]?.id ?? '' },
      body: { type: 'adr' },
    });
    // It is sent after the reply, and would arrive by a line that is back by then.
    await sent;
    other.disconnect();
    await expectColumns(page, { intake: ['Call the client'], adr: [] });
    await line.restore();
    await expect(page.getByText('This board may be out of date')).toBeVisible();
    await expectColumns(page, { intake: ['Call the client'], adr: [] });
    await expectAccessible(page);
    // It also retries by itself every few seconds, and the button disappears with the answer.
    const asked = page.waitForRequest('**/api/v1/tasks/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked;
    await page.unroute('**/api/v1/tasks/*');
    await expectColumns(page, { adr: ['Call the client'] });
    await expect(page.getByText('This board may be out of date')).toBeHidden();
  });

  test('the board draws only the visible part of a long column, and works with the keyboard throughout', async ({
    matterdesk,
    page,
  }) => {
    const names = Array.from({ length: 65 }, (_, index) => `Task ${index + 1}`);
    await openBoard(matterdesk, page, names);
    const rows = column(page, 'intake').getByRole('listitem');
    expect(await rows.count()).toBeLessThan(30);
    await card(page, 'Task 1').focus();
    await page.keyboard.press('End');
    await expect(card(page, 'Task 65')).toBeFocused();
    await page.keyboard.press('Control+ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect(card(page, 'Task 64')).toBeFocused();
    await expectAccessible(page);
  });
});

test.describe('a task that is done', () => {
  test('the board leaves the lists and folds at the end of its column, until that is undone', async ({
    matterdesk,
    page,
  }) => {
    const { caseName } = await openBoard(matterdesk, page, ['File the motion', 'Call the clerk']);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'All tasks' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My tasks' })).toBeVisible();
    await expect(page.getByText('Nothing is due this week · 2 late')).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: 'File the motion' });
    await expect(row).toContainText(caseName);
    await page.getByRole('searchbox').fill('motion file');
    await expect(page.getByText('Call the clerk')).toHaveCount(0);
    await expect(page).toHaveURL(/search=motion/);
    await row.getByRole('checkbox', { name: 'File the motion is done' }).click();
    const done = page.getByRole('region', { name: 'Done' });
    await expect(done.getByText('File the motion')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(done).toHaveCount(0);
    await row.getByRole('checkbox', { name: 'File the motion is done' }).click();
    await expect(done.getByText('File the motion')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(done).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await expect(page.getByText('Call the clerk')).toBeVisible();
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.getByRole('checkbox', { name: 'Select File the motion' }).check();
    await page.getByRole('checkbox', { name: 'Select Call the clerk' }).check();
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await expect(page.getByText('2 tasks done')).toBeVisible();
    await expect(done.getByRole('listitem')).toHaveCount(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(done).toHaveCount(0);
    await row.getByRole('link').click();
    await expect(card(page, 'File the motion')).toBeFocused();
    // It leaves its place at once, where its new state could not be seen.
    await card(page, 'File the motion').getByRole('checkbox').click();
    await expectColumns(page, { intake: ['Call the clerk'] });
    await page.getByRole('button', { name: '1 done in Intake' }).click();
    const folded = page.getByRole('list', { name: 'Done in Intake' });
    await folded.getByRole('checkbox', { name: 'File the motion is done' }).click();
    await expectColumns(page, { intake: ['File the motion', 'Call the clerk'] });
  });
});
