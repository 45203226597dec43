// Tasks across cases.

import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { ID } from '../../core/ids.ts';
import { cutPage, describeTotal, INSTANT, type PageQuery, readCursor } from '../../http/paging.ts';
import { readFirm } from '../firm/service.ts';
import { daysOf } from './rules.ts';
import * as store from './store.lists.ts';
import { toTask } from './store.ts';

const PAGE = 50;

type Query = store.TaskFilter & PageQuery & { timeZone?: string | undefined };

/** One page by the end, with the counts of what is due when. */
export async function listTasks(
  context: ActorContext,
  { limit = PAGE, cursor, timeZone, ...asked }: Query,
) {
  const db = asActor(context);
  const after = cursor ? readCursor(cursor, [INSTANT, ID]) : undefined;
  const filter = { ...asked, ...(asked.assignedTo === 'me' && { assignedTo: context.actor.id }) };
  const days = daysOf(new Date(), timeZone ?? (await readFirm(context)).timeZone);
  const [rows, { total, ...counts }] = await Promise.all([
    store.listTasks(db, { filter, days, limit: limit + 1, after }),
    store.countTasks(db, { filter, days, cap: TOTAL_CAP + 1 }),
  ]);
  const keyOf = (row: store.ListedRow) => [row.end_time.toISOString(), row.id];
  const { page, nextCursor } = cutPage(rows, limit, keyOf);
  return { tasks: page.map(toListed), counts: cap(counts), nextCursor, ...describeTotal(total) };
}

function cap<Counts extends Record<string, number>>(counts: Counts): Counts {
  const capped = Object.entries(counts).map(([due, n]) => [due, Math.min(n, TOTAL_CAP)]);
  return Object.fromEntries(capped) as Counts;
}

function toListed(row: store.ListedRow): ListedTask {
  return { ...toTask(row), caseName: row.case_name, caseNo: row.case_no };
}
