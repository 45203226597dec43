import { expect, type Locator, type Page } from '@playwright/test';
import { calendarRoutes, type NewEvent } from '@matterdesk/contract/calendar.ts';
import { newEvent } from '@matterdesk/server/testing/factories.ts';
import { openConnected } from './support/connection.ts';
import { expectAccessible } from './support/expect.ts';
import { type Firm, type Person, test } from './support/fixtures.ts';
import { dialog } from './support/matters.ts';

/** A week with the time of one person, since tests share their firm. */
function weekOf({ id }: Person): string {
  return `/dashboard/calender?view=week&date=2038-02-03&people=${id}`;
}

const timeZone = 'America/New_York';

async function addEvent(firm: Firm, { token }: Person, own: Partial<NewEvent>) {
  const body = newEvent({ timeZone, ...own });
  return (await firm.call(calendarRoutes.addEvent, { token, body })).event;
}

/** An event in the grid. */
function entry(page: Page, title: string): Locator {
  return page.locator('[data-entry]').filter({ hasText: title });
}

/** Drags with the mouse from a place in an element by some pixels. */
async function drag(page: Page, from: Locator, by: { x: number; y: number }) {
  const box = await from.boundingBox();
  if (!box) throw new Error('It is not in view');
  // The middle of its first quarter of an hour.
  const [x, y] = [box.x + box.width / 2, box.y + 7];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by.x / 2, y + by.y / 2, { steps: 4 });
  await page.mouse.move(x + by.x, y + by.y, { steps: 4 });
}

/** The copy that is dragged stands beside the event until it has gone back. */
async function expectAt(event: Locator, time: string) {
  await expect(event).toHaveCount(1);
  await expect(event).toContainText(time);
}

/** Whether nothing covers the middle of an element. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

/** Again and again, without a look at what is shown meanwhile. */
async function cancelAtOnce(page: Page, event: Locator) {
  const saved: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && saved.push(request.url()));
  for (let turn = 0; turn < 10; turn += 1) {
    await drag(page, event, { x: 0, y: 56 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(page.getByText('11:00 AM – 12:00 PM')).toBeHidden();
    await expectAt(event, '10:00 AM');
  }
  expect(saved).toEqual([]);
}

test('an event is dragged, undone, and moved by keys, and others see it', async ({
  page,
  browser,
  matterdesk,
}) => {
  const ada = await matterdesk.register();
  await addEvent(matterdesk, ada, { title: 'Motion to compel' });
  for (const [title, day] of [
    ['Client call', '03'],
    ['Deposition', '04'],
  ] as const) {
    const [start, end] = [`2038-02-${day}T17:00:00.000Z`, `2038-02-${day}T18:00:00.000Z`];
    await addEvent(matterdesk, ada, { title, start, end });
  }
  await matterdesk.signIn(page, ada);
  const colleague = await browser
    .newContext({ baseURL: matterdesk.url })
    .then((it) => it.newPage());
  await matterdesk.signIn(colleague, await matterdesk.register());
  await openConnected(colleague, weekOf(ada));
  await page.goto(weekOf(ada));
  const motion = entry(page, 'Motion to compel');
  await expectAt(motion, '10:00 AM');

  // Each hour is 56 pixels high.
  await drag(page, motion, { x: 0, y: 112 });
  await expect(page.getByText('12:00 PM – 1:00 PM')).toBeVisible();
  const note = page.getByText('is in “Client call” until 1:00 PM');
  await expect(note).toBeVisible();
  // Whatever the next day has there stands behind it.
  expect(await note.evaluate(isOnTop)).toBe(true);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expectAt(motion, '10:00 AM');
  await cancelAtOnce(page, motion);

  await drag(page, motion, { x: 0, y: 56 });
  await page.mouse.up();
  await expectAt(motion, '11:00 AM');
  await expectAt(entry(colleague, 'Motion to compel'), '11:00 AM');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectAt(motion, '10:00 AM');
  await expectAt(entry(colleague, 'Motion to compel'), '10:00 AM');

  await motion.focus();
  await page.keyboard.down('Control');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Control');
  await expect(page.getByText('Thu, Feb 4, 10:15 AM – 11:15 AM')).toBeVisible();
  await expect(motion).toBeFocused();
  await page.keyboard.press('Control+Shift+ArrowDown');
  await expect(page.getByText('Thu, Feb 4, 10:15 AM – 11:30 AM')).toBeVisible();
  await expect(motion).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('10:15 AM – 11:30 AM');
  await page.keyboard.press('Escape');
  await expect(motion).toBeFocused();
});

test('undoing a move leaves an event where someone else has moved it since', async ({
  page,
  matterdesk,
}) => {
  const ada = await matterdesk.register();
  const { id } = await addEvent(matterdesk, ada, { title: 'Motion to compel' });
  await matterdesk.signIn(page, ada);
  await openConnected(page, weekOf(ada));
  const motion = entry(page, 'Motion to compel');
  await expectAt(motion, '10:00 AM');
  await motion.focus();
  await page.keyboard.press('Control+ArrowDown');
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  // Holds the toast, which ends by itself.
  await undo.hover();
  const body = { start: '2038-02-03T20:00:00.000Z', end: '2038-02-03T21:00:00.000Z' };
  const call = { token: ada.token, params: { id }, body };
  await matterdesk.call(calendarRoutes.changeEvent, call);
  await undo.click();
  await expect(page.getByText('Not undone: someone else moved it meanwhile')).toBeVisible();
  await expectAt(motion, '3:00 PM');
});

test('an event is saved where it was dropped, whatever arrives during the drag', async ({
  page,
  matterdesk,
}) => {
  const ada = await matterdesk.register();
  await addEvent(matterdesk, ada, { title: 'Motion to compel' });
  await matterdesk.signIn(page, ada);
  await openConnected(page, weekOf(ada));
  const motion = entry(page, 'Motion to compel');
  const arrive = async (title: string, hour: number) => {
    const [start, end] = [hour, hour + 1].map((at) => `2038-02-04T${at}:00:00.000Z`);
    await addEvent(matterdesk, ada, { title, ...(start && end && { start, end }) });
  };
  await expectAt(motion, '10:00 AM');

  await drag(page, motion, { x: 0, y: 56 });
  await expect(page.getByText('11:00 AM – 12:00 PM')).toBeVisible();
  await arrive('Client call', 15);
  await expect(page.getByText('2 events')).toBeVisible();
  await page.mouse.up();
  await expectAt(motion, '11:00 AM');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect(page.getByText('Event updated')).toHaveCount(0);
  await expect(entry(page, 'Client call')).toBeVisible();

  await drag(page, motion, { x: 0, y: 56 });
  await expect(page.getByText('12:00 PM – 1:00 PM')).toBeVisible();
  await arrive('Deposition', 17);
  await expect(page.getByText('3 events')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expectAt(motion, '11:00 AM');
  await expect(entry(page, 'Deposition')).toBeVisible();
  await page.reload();
  await expectAt(motion, '11:00 AM');
});

test('a drawn span becomes an event, a series asks what a move means, and keys change the view', async ({
  page,
  matterdesk,
}) => {
  const ada = await matterdesk.register();
  const times = { start: '2038-02-01T14:00:00.000Z', end: '2038-02-01T15:00:00.000Z' };
  const recurrence = 'FREQ=DAILY;COUNT=3';
  await addEvent(matterdesk, ada, { title: 'Trial prep', ...times, recurrence });
  await matterdesk.signIn(page, ada);
  await page.goto(weekOf(ada));
  const prep = entry(page, 'Trial prep');
  await expect(prep).toHaveCount(3);

  await drag(page, prep.nth(1), { x: 0, y: 56 });
  await page.mouse.up();
  await expect(dialog(page).getByLabel('This event')).toBeChecked();
  await dialog(page).getByLabel('This and following').check();
  await dialog(page).getByRole('button', { name: 'Move' }).click();
  await expect(prep).toContainText(['9:00 AM', '10:00 AM', '10:00 AM']);

  const friday = page.locator('[data-date="2038-02-05"][role=cell]').last();
  const box = await friday.boundingBox();
  if (!box) throw new Error('Friday is not in view');
  const draw = async () => {
    await page.mouse.move(box.x + 20, box.y + 24 * 28 + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 27 * 28 - 4, { steps: 4 });
    await expect(page.getByText('12:00 PM – 1:30 PM')).toBeVisible();
  };
  await draw();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(page.getByText('12:00 PM – 1:30 PM')).toBeHidden();
  await expect(dialog(page)).toBeHidden();
  await draw();
  await page.mouse.up();
  await expect(dialog(page).getByLabel('Start')).toHaveValue('2038-02-05T12:00');
  await expect(dialog(page).getByLabel('End')).toHaveValue('2038-02-05T13:30');
  await dialog(page).getByLabel('Title').fill('Lunch with the expert');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(entry(page, 'Lunch with the expert')).toContainText('12:00 PM');

  await page.keyboard.press('m');
  await expect(page.getByRole('heading', { name: 'February 2038' })).toBeVisible();
  await expect(entry(page, 'Lunch with the expert')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'March 2038' })).toBeVisible();
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { name: 'Monday, March 1, 2038' })).toBeVisible();
  // In one task, so that nothing is painted between the keys.
  await page.evaluate(() => {
    for (const key of ['ArrowRight', 'ArrowRight', 'n'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await expect(dialog(page).getByLabel('Start')).toHaveValue(/^2038-03-03T/);
});

test('a long press of a finger picks an event up', async ({ browser, matterdesk }) => {
  const ada = await matterdesk.register();
  await addEvent(matterdesk, ada, { title: 'Motion to compel' });
  const viewport = { width: 1024, height: 768 };
  const context = await browser.newContext({ baseURL: matterdesk.url, hasTouch: true, viewport });
  const page = await context.newPage();
  await matterdesk.signIn(page, ada);
  await page.goto(weekOf(ada));
  const motion = entry(page, 'Motion to compel');
  await expectAt(motion, '10:00 AM');
  const box = await motion.boundingBox();
  if (!box) throw new Error('It is not in view');
  const [x, y] = [box.x + box.width / 2, box.y + 7];
  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', down: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y: y + down }] });
  await touch('touchStart', 0);
  await expect(page.getByText('10:00 AM – 11:00 AM')).toBeVisible();
  for (const down of [28, 56, 84, 112]) await touch('touchMove', down);
  await expect(page.getByText('12:00 PM – 1:00 PM')).toBeVisible();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expectAt(motion, '12:00 PM');
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`week and month are accessible, ${colorScheme}`, async ({ page, matterdesk }) => {
    await page.emulateMedia({ colorScheme });
    const ada = await matterdesk.register();
    const day = { start: '2038-02-03', end: '2038-02-03', allDay: true };
    for (const n of [1, 2, 3, 4, 5, 6])
      await addEvent(matterdesk, ada, { ...day, title: `Errand ${n}` });
    await addEvent(matterdesk, ada, { title: 'Deposition of T. Gage', kind: 'deposition' });
    await matterdesk.signIn(page, ada);
    for (const view of ['month', 'week']) {
      await page.goto(weekOf(ada).replace('week', view));
      await page.getByText('2 more').waitFor();
      await expectAccessible(page);
    }
    await page.getByText('2 more').click();
    await expect(page.getByRole('heading', { name: 'Wednesday, February 3, 2038' })).toBeVisible();
  });

for (const viewport of [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
])
  test(`the month is accessible at ${viewport.width} by ${viewport.height}`, async ({
    page,
    matterdesk,
  }) => {
    await page.setViewportSize(viewport);
    const ada = await matterdesk.register();
    await matterdesk.signIn(page, ada);
    // More than the window shows.
    for (const day of ['02', '03', '10', '17', '24'].map((date) => `2038-02-${date}`))
      for (const n of [1, 2, 3, 4, 5, 6])
        await addEvent(matterdesk, ada, {
          start: day,
          end: day,
          allDay: true,
          title: `Errand ${n}`,
        });
    await page.goto(weekOf(ada).replace('week', 'month'));
    await expect(page.locator('[data-entry]')).not.toHaveCount(0);
    // Keys scroll it, also where no entry has the focus.
    const rows = page.locator('main [role="rowgroup"][tabindex="0"]');
    const scroller = rows.locator('..');
    await rows.focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await expectAccessible(page);
  });
