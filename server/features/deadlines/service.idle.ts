// Matters with nothing scheduled or without a statute date, which are easily forgotten.

import type { IdleCase, UndatedCase } from '@matterdesk/contract/deadlines.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { type ActorContext, type Context, asActor } from '../../context.ts';
import { cutPage, describeTotal, readCursor, type PageQuery, SERIAL } from '../../http/paging.ts';
import type { JobRun } from '../../jobs/queue.ts';
import * as store from './store.list.ts';

const SINCE = /^(?:-infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const PAGE = 50;
/** Cases per transaction. */
const BATCH = 1000;
const WHY = 'every case has its next date';
const NEVER = '-infinity';

type IdleQuery = PageQuery &
  Omit<store.IdleFilter, 'isLimited'> & { ahead?: 'limitations' | undefined };

/** Active cases with nothing scheduled, those that have waited the longest first. */
export async function listIdleCases(
  context: ActorContext,
  { limit = PAGE, cursor, ahead, ...query }: IdleQuery,
) {
  const filter = { ...query, isLimited: ahead === 'limitations' };
  const db = asActor(context);
  const after = cursor ? readCursor(cursor, [SINCE, SERIAL]) : undefined;
  const [rows, total] = await Promise.all([
    store.listIdleCases(db, { limit: limit + 1, after, filter }),
    store.countIdleCases(db, TOTAL_CAP + 1, filter),
  ]);
  const keyOf = ({ since, serial }: store.IdleRow) => [since?.toISOString() ?? NEVER, serial];
  const { page, nextCursor } = cutPage(rows, limit, keyOf);
  return { cases: page.map(toIdleCase), nextCursor, ...describeTotal(total) };
}

/** Active cases whose statute date is missing, the oldest first. */
export async function listUndatedCases(
  context: ActorContext,
  { limit = PAGE, cursor, ...filter }: PageQuery & store.UndatedFilter,
) {
  const db = asActor(context);
  const [after] = cursor ? readCursor(cursor, [SERIAL]) : [];
  const [rows, total] = await Promise.all([
    store.listUndatedCases(db, { limit: limit + 1, after, filter }),
    store.countUndatedCases(db, TOTAL_CAP + 1, filter),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ serial }) => [serial]);
  return { cases: page.map(toUndatedCase), nextCursor, ...describeTotal(total) };
}

/** Without a limitation ahead, either; up to the cap of totals. */
export function countIdleCases(context: Context, person: { id: string }): Promise<number> {
  return store.countIdleCases(context.db.as(person), TOTAL_CAP, { isLimited: true });
}

/** Computes missing next dates, a transaction for each batch. */
export async function fillIdleCases(context: Context, { signal }: JobRun): Promise<void> {
  let last: string | null = '0';
  while (last !== null) {
    signal.throwIfAborted();
    last = await fillIdleBatch(context, last);
  }
}

function fillIdleBatch(context: Context, after: string): Promise<string | null> {
  return context.writer.runAsSystem(null, WHY, ({ trx }) =>
    store.fillNextDates(trx, { after, limit: BATCH }),
  );
}

function toIdleCase(row: store.IdleRow): IdleCase {
  const { id, case_name: caseName, case_no: caseNo, since, assigned } = row;
  return { id, caseName, caseNo, since: since?.toISOString() ?? null, assigned };
}

function toUndatedCase(row: store.UndatedRow): UndatedCase {
  const { id, case_name: caseName, case_no: caseNo, owner, created_at: since } = row;
  return { case: { id, caseName, caseNo }, owner, since: since.toISOString() };
}
