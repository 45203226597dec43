import { ITEMS_MAX } from '@matterdesk/contract/calendar.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { SYSTEM } from '@matterdesk/server/db/scoped-query.ts';
import { windowOf } from '@matterdesk/server/features/calendar/rules.times.ts';
import {
  listAllDay,
  listCaseDates,
  listTaskMoments,
  listTimed,
  type ItemQuery,
} from '@matterdesk/server/features/calendar/store.items.ts';
import {
  countIdleCases,
  listIdleCases,
  listCalendarDeadlines,
} from '@matterdesk/server/features/deadlines/store.list.ts';
import type { BareDatabase } from './bare-database.ts';
import type { Scenario } from './scenarios.ts';

const DAY_MS = 86_400_000;
/** Days before and after today. */
const [BACK, AHEAD] = [14, 27];
const EVENTS = 50;

/** Six weeks of the whole firm, and the matters with nothing ahead. */
export async function calendarScenarios(database: BareDatabase): Promise<Scenario[]> {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const days = { from: day(-BACK), to: day(AHEAD) };
  const wanted: ItemQuery = {
    ...windowOf(days, 'UTC'),
    reader: SYSTEM,
    people: undefined,
    kinds: undefined,
    caseId: undefined,
    search: undefined,
    limit: ITEMS_MAX + 1,
  };
  const weeks = await database.capture(async (db) => {
    for (const list of [listTimed, listAllDay, listTaskMoments, listCaseDates, listCalendarDeadlines])
      await list(db, wanted);
  });
  const idle = await database.capture(async (db) => {
    await listIdleCases(db, { limit: EVENTS + 1, filter: { isLimited: true } });
    await countIdleCases(db, TOTAL_CAP + 1, { isLimited: true });
  });
  const scenario = (name: string, path: string, statements: typeof idle): Scenario => ({
    name,
    isWrite: false,
    request: () => ({ path: `/api/v1/${path}` }),
    bare: () => ({ statements, isWrite: false }),
  });
  const query = new URLSearchParams({ ...days, timeZone: 'UTC' });
  return [
    // Thousands of items, where all calendars of the firm are shown.
    {
      ...scenario('calendar of six weeks, 5 clients', `calendar/grid?${query.toString()}`, weeks),
      clients: 5,
    },
    scenario('no next date', `deadlines/noNextDate?limit=${EVENTS}`, idle),
  ];
}
