import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { browserArguments, findBrowser } from '../e2e/support/browser.ts';
import { framesWhile, signIn } from './drag.ts';
import { HttpClient } from './http-client.ts';
import { summarize, type Samples } from './samples.ts';
import { signInAdmin } from './sign-in.ts';

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
const SECONDS = 3;

/** Opens and drags a calendar of 5,000 items in Chromium. */
export async function measureCalendar(port: number): Promise<CalendarFrames> {
  await fillMonth(port);
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, env, args: browserArguments });
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
    const scrolling = await framesWhile(page, SECONDS, () => scroll(page));
    const dragging = await framesWhile(page, SECONDS, () => dragAround(page));
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
      const data = calls.find(({ name }) => name.includes('/api/v1/calendar?'));
      return paintedAt - (data?.responseEnd ?? Number.NaN);
    });
    took.push(since);
    await page.close();
  }
  return summarize(took, took.reduce((sum, one) => sum + one, 0) / 1000);
}

/** Down the hours and back. */
async function scroll(page: Page) {
  const end = performance.now() + SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    await page.mouse.wheel(0, Math.floor(step / 20) % 2 === 0 ? 20 : -20);
    await delay(8);
  }
}

/** Picks an event up and carries it over the week. @throws when it is not picked up, or lost on the way */
async function dragAround(page: Page) {
  const event = page.locator('[data-entry]').filter({ hasText: 'Conference' }).last();
  await event.scrollIntoViewIfNeeded();
  const box = await event.boundingBox();
  if (!box) throw new Error('The event is not in view');
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 60, { steps: 4 });
  // Beside what is held stand its times.
  const held = page.getByText(/^\d+:\d\d [AP]M – \d+:\d\d [AP]M$/);
  await held.first().waitFor({ timeout: 5000 });
  const end = performance.now() + SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    const turn = (step / 120) * Math.PI;
    await page.mouse.move(800 - 450 * Math.cos(turn), 560 + 150 * Math.sin(turn * 3));
  }
  if ((await held.count()) === 0) throw new Error('The event was lost on the way');
  await page.keyboard.press('Escape');
  await page.mouse.up();
}
