// Reads the audit log, to which every write adds.

import type { Entry, RecordFilters } from '@matterdesk/contract/audit.ts';
import type { Activity, Change } from '@matterdesk/contract/cases.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import { type ActorContext, asActor, type Context, write } from '../../context.ts';
import { notFound } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { ReadRecord, RefusedRequest } from '../../http/bind.ts';
import {
  cutPage,
  describeTotal,
  type PageQuery,
  readTimeCursor,
  writeCursor,
} from '../../http/paging.ts';
import { caseExists } from '../cases/service.ts';
import { changesIn } from './rules.ts';
import * as rules from './rules.ts';
import { findSealedUpTo } from './seals/store.ts';
import * as store from './store.ts';

const PAGE = 20;

const BATCH = 500;

export const RECORD_COLUMNS = [...rules.COLUMNS];

/** Activity of a case and its tasks, newest first. @throws Refusal notFound */
export async function readActivity(
  context: ActorContext,
  caseId: string,
  query: PageQuery,
): Promise<{ activity: Activity[]; nextCursor: string | null }> {
  const after = query.cursor ? readTimeCursor(query.cursor) : undefined;
  if (!(await caseExists(asActor(context), caseId))) throw notFound('Case');
  const limit = query.limit ?? PAGE;
  const rows = await store.listActivity(context.db, caseId, { limit: limit + 1, after });
  const { page, nextCursor } = cutPage(rows, limit, placeOf);
  const names = await store.findNames(asActor(context), page);
  return { activity: page.map((row) => store.toActivity(row, names)), nextCursor };
}

/** The whole activity of a case, oldest first. @throws Refusal notFound */
export async function* streamActivity(
  context: ActorContext,
  caseId: string,
): AsyncGenerator<Activity> {
  if (!(await caseExists(asActor(context), caseId))) throw notFound('Case');
  let after: string[] | undefined;
  for (;;) {
    const page = { limit: BATCH, after, isOldestFirst: true };
    const rows = await store.listActivity(context.db, caseId, page);
    const names = await store.findNames(asActor(context), rows);
    yield* rows.map((row) => store.toActivity(row, names));
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = placeOf(last);
  }
}

/** Differences in words, and the names that a reader may know, of acts of the record. */
export async function describeChanges(
  db: Scoped,
  rows: readonly store.AuditedValues[],
): Promise<{ names: ReadonlyMap<string, string>; changes: Change[] }[]> {
  const names = await store.findNames(db, rows);
  return rows.map((row) => ({
    names,
    changes: row.before && row.after ? changesIn(row, names) : [],
  }));
}

export async function listRecord(
  context: ActorContext,
  { limit, cursor, ...filters }: RecordFilters & PageQuery,
) {
  const after = cursor ? readTimeCursor(cursor) : undefined;
  const size = limit ?? DEFAULT_PAGE_SIZE;
  const db = asActor(context);
  const [rows, total, sealedUpTo] = await Promise.all([
    store.listEntries(db, filters, { limit: size + 1, after }),
    store.countEntries(db, filters),
    findSealedUpTo(context.db),
  ]);
  const { page, nextCursor } = pageOf(rows, size);
  const names = await store.findNames(db, page);
  const entries = page.map((row) => store.toEntry(row, names));
  return { entries, ...describeTotal(total), nextCursor, sealedUpTo: sealedUpTo.toISOString() };
}

/** Newest first. */
export async function* exportRecord(
  context: ActorContext,
  filters: RecordFilters,
): AsyncGenerator<string[]> {
  const db = asActor(context);
  let after: string[] | undefined;
  for (;;) {
    const rows = await store.listEntries(db, filters, { limit: BATCH, after });
    const names = await store.findNames(db, rows);
    yield* rows.map((row): Entry => store.toEntry(row, names)).map(rules.cellsOf);
    const last = rows.at(-1);
    if (!last || (rows.length < BATCH && !isCut(rows))) return;
    after = placeOf(last);
  }
}

/** A page of large values has fewer entries than were asked for. */
function pageOf(rows: store.EntryRow[], size: number) {
  const last = rows.at(-1);
  if (last && isCut(rows)) return { page: rows, nextCursor: writeCursor(placeOf(last)) };
  return cutPage(rows, size, placeOf);
}

function isCut(rows: store.EntryRow[]): boolean {
  return rows.length < (rows[0]?.found ?? 0);
}

export async function noteReading(context: ActorContext, reading: ReadRecord): Promise<void> {
  await write(context, (unit) => unit.record(reading));
}

export async function noteRefused(
  context: Context,
  { actor, route, params, json }: RefusedRequest,
): Promise<void> {
  const { method, path, summary } = route;
  const caseId = rules.caseIdOf(path, { ...(json as object | undefined), ...(params as object) });
  const entry = { action: 'refused', entity: 'request', entityId: actor.requestId } as const;
  const after = { method, path, summary };
  await context.writer.run(actor, (unit) =>
    unit.record({ ...entry, ...(caseId && { caseId }), after }),
  );
}

function placeOf({ at, id }: { at: Date; id: string }): string[] {
  return [at.toISOString(), id];
}

export function findTouched(
  db: Scoped,
  ids: readonly string[],
  requestId: string,
): Promise<Set<string>> {
  return store.findTouched(db, ids, requestId);
}
