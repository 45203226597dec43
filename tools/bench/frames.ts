import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { columnIds } from '@matterdesk/contract/columns.ts';
import { transact } from '@matterdesk/server/db/connect.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { insertCase } from '@matterdesk/server/features/cases/store.ts';
import { insertTasks } from '@matterdesk/server/features/tasks/store.ts';
import { findBrowser } from '../e2e/support/browser.ts';
import { DOMAIN } from '../seed/people.ts';
import type { BareDatabase } from './bare-database.ts';
import { signInAdmin, PASSWORD } from './firm.ts';
import { HttpClient } from './http-client.ts';
import { summarize, type Samples } from './load.ts';
import { newCase } from './writing.ts';

/** Milliseconds from the data until a view is painted, and between frames while an event is dragged or the days scroll. */
export type CalendarFrames = {
  items: number;
  firstMonth: Samples;
  firstWeek: Samples;
  scrolling: Samples;
  dragging: Samples;
};

/** Series of one event a day, so that a month has as many items as the calendar shows. */
const SERIES = 142;
const DAYS = 35;
const FIRST = '2031-06-01';
const TIMES = 5;
const GRID_SECONDS = 3;

/** Opens and drags a calendar of 5,000 items in Chromium. */
export async function measureCalendar(port: number): Promise<CalendarFrames> {
  await fillMonth(port);
  const browser = await chromium.launch(await findBrowser());
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signIn(page, port);
    const address = (view: string) =>
      `http://127.0.0.1:${port}/dashboard/calender?view=${view}&date=${FIRST}`;
    const firstMonth = await firstViews(context, address('month'));
    const firstWeek = await firstViews(context, address('week'));
    await page.goto(address('week'));
    const event = page.locator('[data-entry]').first();
    await event.waitFor();
    // Exclude the first paint and its loading.
    await delay(1500);
    await page.mouse.move(800, 600);
    const scrolling = await framesWhile(page, GRID_SECONDS, () => scroll(page));
    const dragging = await framesWhile(page, GRID_SECONDS, () => dragAround(page));
    return { items: SERIES * DAYS, firstMonth, firstWeek, scrolling, dragging };
  } finally {
    await browser.close();
  }
}

async function fillMonth(port: number) {
  const { token } = await signInAdmin(port);
  const client = new HttpClient(port, 1);
  for (let n = 0; n < SERIES; n += 1) {
    const hour = String(8 + (n % 10)).padStart(2, '0');
    const json = {
      title: `Conference ${n}`,
      kind: 'meeting',
      start: `${FIRST}T${hour}:00:00.000Z`,
      end: `${FIRST}T${hour}:45:00.000Z`,
      timeZone: 'UTC',
      recurrence: `FREQ=DAILY;COUNT=${DAYS}`,
    };
    await client.ask({ method: 'POST', path: '/api/v1/calendar/events', token, json });
  }
  client.close();
}

/** Milliseconds from the last byte of the data until the first event has been painted. */
async function firstViews(context: BrowserContext, address: string): Promise<Samples> {
  const took: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const kept = globalThis as unknown as { paintedAt?: number };
      const watch = () => {
        if (document.querySelector('[data-entry]') === null) requestAnimationFrame(watch);
        else requestAnimationFrame(() => (kept.paintedAt = performance.now()));
      };
      requestAnimationFrame(watch);
    });
    await page.goto(address);
    await page.waitForFunction(() => 'paintedAt' in globalThis);
    const since = await page.evaluate(() => {
      const { paintedAt } = globalThis as unknown as { paintedAt: number };
      const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const data = calls.find(({ name }) => name.includes('/api/v1/calendar/grid?'));
      return paintedAt - (data?.responseEnd ?? Number.NaN);
    });
    took.push(since);
    await page.close();
  }
  return summarize(took, took.reduce((sum, one) => sum + one, 0) / 1000);
}

/** Down the hours and back. */
async function scroll(page: Page) {
  const end = performance.now() + GRID_SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    await page.mouse.wheel(0, Math.floor(step / 20) % 2 === 0 ? 20 : -20);
    await delay(8);
  }
}

/** Picks an event up and carries it over the week. @throws when it is not picked up, or lost on the way */
async function dragAround(page: Page) {
  const event = page.locator('[data-entry]').filter({ hasText: 'Conference' }).last();
  // Not at the edge, over which the pointer would leave the page.
  await event.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = await event.boundingBox();
  if (!box) throw new Error('The event is not in view');
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 60, { steps: 4 });
  // The times of an event that is being dragged appear beside it.
  const held = page.getByText(/^\d+:\d\d [AP]M – \d+:\d\d [AP]M$/);
  await held.first().waitFor({ timeout: 5000 });
  const end = performance.now() + GRID_SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    const turn = (step / 120) * Math.PI;
    await page.mouse.move(800 - 450 * Math.cos(turn), 560 + 150 * Math.sin(turn * 3));
  }
  if ((await held.count()) === 0) throw new Error('The event was lost on the way');
  await page.keyboard.press('Escape');
  await page.mouse.up();
}

/** Milliseconds between frames while the pointer moves, and while a card is dragged. */
export type DragFrames = { cards: number; still: Samples; dragging: Samples };

const CARDS = 1000;
const BOARD_SECONDS = 4;

/** Drags a card across a board of 1,000 in Chromium. */
export async function measureDrag(port: number, database: BareDatabase): Promise<DragFrames> {
  const caseId = await fillBoard(database);
  const browser = await chromium.launch(await findBrowser());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, port);
    await page.goto(`http://127.0.0.1:${port}/dashboard/tasks?case=${caseId}`);
    const card = page.locator('[data-column=intake] [data-card]').first();
    await card.waitFor();
    // Exclude the first paint and its loading.
    await delay(1500);
    const still = await framesWhile(page, BOARD_SECONDS, () => wander(page));
    const box = await card.boundingBox();
    if (!box) throw new Error('The first card is not to be seen');
    await page.mouse.move(box.x + 40, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 60, { steps: 4 });
    await page.locator('[data-dragging]').first().waitFor({ timeout: 5000 });
    const dragging = await framesWhile(page, BOARD_SECONDS, () => wander(page));
    if ((await page.locator('[data-dragging]').count()) === 0)
      throw new Error('The card was lost on the way');
    await page.mouse.up();
    return { cards: CARDS, still, dragging };
  } finally {
    await browser.close();
  }
}

async function fillBoard(database: BareDatabase): Promise<string> {
  const [person] = await database.read<{ id: string }>('select id from users limit 1');
  const row = toRow(newCase(`drag-${Date.now()}`), new Date());
  let caseId = '';
  await database.capture((db) =>
    transact(db, async (trx) => {
      caseId = (await insertCase(trx, row, []))?.id ?? '';
      const start = new Date('2026-11-20T09:00:00Z');
      const tasks = Array.from({ length: CARDS }, (_, index) => ({
        case_id: caseId,
        name: `Task ${index}`,
        description: 'Driver logs, ELD data, maintenance',
        start_time: start,
        end_time: start,
        type: columnIds[index % columnIds.length] ?? 'intake',
        assigned_to: person?.id ?? '',
        created_by: person?.id ?? '',
        deleted_at: null,
      }));
      await insertTasks(trx, tasks);
    }),
  );
  return caseId;
}

/** Milliseconds between frames while a stream scrolls, and how many of its items were read on the way. */
export type StreamFrames = { items: number; scrolling: Samples };

const STREAM_SECONDS = 8;
/** Items that the stream reads at once. */
const STREAM_PAGE = 50;
export type StreamPlace = {
  origin: string;
  caseId: string;
  signIn: { email: string; password: string };
};

/** Scrolls through a matter's stream in Chromium, as fast as a wheel goes. */
export async function measureStream({
  origin,
  caseId,
  signIn: who,
}: StreamPlace): Promise<StreamFrames> {
  const browser = await chromium.launch(await findBrowser());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, Number(new URL(origin).port), who);
    let items = 0;
    page.on('response', (response) => {
      if (response.url().includes(`/cases/${caseId}/stream?`)) items += STREAM_PAGE;
    });
    await page.goto(`${origin}/dashboard/caseDetails/${caseId}?tab=stream`);
    await page.locator('main li[data-row]').first().waitFor();
    // Exclude the first paint and its loading.
    await delay(1500);
    await page.mouse.move(600, 600);
    const scrolling = await framesWhile(page, STREAM_SECONDS, async () => {
      const end = performance.now() + STREAM_SECONDS * 1000;
      while (performance.now() < end) {
        await page.mouse.wheel(0, 120);
        await delay(16);
      }
    });
    return { items, scrolling };
  } finally {
    await browser.close();
  }
}

async function signIn(
  page: Page,
  port: number,
  { email, password } = { email: `ama.owusu@${DOMAIN}`, password: PASSWORD },
) {
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
}

/** Slowly across all columns and back. */
async function wander(page: Page) {
  const end = performance.now() + BOARD_SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    const turn = (step / 120) * Math.PI;
    await page.mouse.move(800 - 500 * Math.cos(turn), 450 + 200 * Math.sin(turn * 3));
  }
}

/** Milliseconds between frames during `work`, which takes as many seconds. */
async function framesWhile(
  page: Page,
  seconds: number,
  work: () => Promise<void>,
): Promise<Samples> {
  await page.evaluate(() => {
    const kept = globalThis as unknown as { frames: number[]; isWatching: boolean };
    kept.frames = [];
    kept.isWatching = true;
    let last: number | undefined;
    const note = (now: number) => {
      if (last !== undefined) kept.frames.push(now - last);
      last = now;
      if (kept.isWatching) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await work();
  const frames = await page.evaluate(() => {
    const kept = globalThis as unknown as { frames: number[]; isWatching: boolean };
    kept.isWatching = false;
    return kept.frames;
  });
  return summarize(frames, seconds);
}
