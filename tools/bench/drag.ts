import { transact } from '@matterdesk/server/db/connect.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { columnIds } from '@matterdesk/contract/columns.ts';
import { DOMAIN } from '../seed/people.ts';
import { insertCases } from '@matterdesk/server/features/cases/store.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { insertTasks } from '@matterdesk/server/features/tasks/store.ts';
import { browserArguments, findBrowser } from '../e2e/support/browser.ts';
import type { BareDatabase } from './bare-database.ts';
import { PASSWORD } from './seeded-data.ts';
import { summarize, type Samples } from './samples.ts';
import { newCase } from './writing.ts';

/** Milliseconds between frames while the pointer moves, and while a card is dragged. */
export type DragFrames = { cards: number; still: Samples; dragging: Samples };

const CARDS = 1000;
const SECONDS = 4;

/** Drags a card across a board of 1,000 in Chromium. */
export async function measureDrag(port: number, database: BareDatabase): Promise<DragFrames> {
  const caseId = await fillBoard(database);
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, env, args: browserArguments });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, port);
    await page.goto(`http://127.0.0.1:${port}/dashboard/tasks?case=${caseId}`);
    const card = page.locator('[data-column=intake] [data-card]').first();
    await card.waitFor();
    // Exclude the first paint and its loading.
    await delay(1500);
    const still = await framesWhile(page, SECONDS, () => wander(page));
    const box = await card.boundingBox();
    if (!box) throw new Error('The first card is not to be seen');
    await page.mouse.move(box.x + 40, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 60, { steps: 4 });
    await page.locator('[data-dragging]').first().waitFor({ timeout: 5000 });
    const dragging = await framesWhile(page, SECONDS, () => wander(page));
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
      [caseId = ''] = await insertCases(trx, [row]);
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

export async function signIn(page: Page, port: number) {
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByLabel('Email').fill(`ama.owusu@${DOMAIN}`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
}

/** Slowly across all columns and back. */
async function wander(page: Page) {
  const end = performance.now() + SECONDS * 1000;
  for (let step = 0; performance.now() < end; step += 1) {
    const turn = (step / 120) * Math.PI;
    await page.mouse.move(800 - 500 * Math.cos(turn), 450 + 200 * Math.sin(turn * 3));
  }
}

/** Milliseconds between frames during `work`, which takes as many seconds. */
export async function framesWhile(
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
