import type {
  Case,
  CasePatch,
  caseRoutes,
  CaseSort,
  NewCase,
  StatusType,
  UnfiledCase,
  WaitingDate,
} from '@matterdesk/contract/cases.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import { type ActorContext, asActor, perContext, write } from '../../context.ts';
import { type Actor, allow, fullName } from '../../core/actor.ts';
import { nowAt } from '../../core/dates.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId, NIL_ID } from '../../core/ids.ts';
import { fieldRefusal, invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { NewCaseRow, Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { JsonBody } from '../../http/json-body.ts';
import {
  cutPage,
  describeTotal,
  pageLimit,
  type PageQuery,
  readCursor,
  writeCursor,
  SERIAL,
} from '../../http/paging.ts';
import { requireAssignment } from '../access/service.ts';
import { readCurrentUser, requireAssignable } from '../accounts/service.ts';
import { queueConflictCheck } from '../conflicts/alerts/service.ts';
import { addNames, namesOfCase, saveNames } from '../conflicts/names/service.ts';
import { followCaseParties, openCaseParties } from '../contacts/service.parties.ts';
import { followLimitationChange, openLimitation } from '../deadlines/service.limitations.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { CaseSearches } from './service.search.ts';
import { type ListedRow, writeCase } from './store.listed.ts';
import * as sorted from './store.sorted.ts';
import * as store from './store.ts';

/** A filed case, or one that lacks what only a filed case has. */
type CaseInput = (NewCase & { notFiled?: false | undefined }) | UnfiledCase;

/** Default page size, and the batch size when streaming. */
const BATCH = 200;
const searchesOf = perContext(() => new CaseSearches());

const KEYS = {
  newest: SERIAL,
  sol: /^(?:\d{4}-\d\d-\d\d|infinity)$/,
  caseName: /^[^]{0,400}$/,
  daysOpen: /^-?\d{1,15}(\.\d{1,9})?$/,
};

/** A list in another order than newest first, or of some cases only. */
type SortedQuery = store.CaseFilter &
  Pick<sorted.SortedFilter, 'status' | 'type'> & {
    sort?: CaseSort | undefined;
    /** The id of a user, or `me`. */
    assigned?: string | undefined;
    incomplete?: '0' | '1' | undefined;
  };

type ListQuery = SortedQuery & PageQuery & { ranked?: '0' | '1' | undefined };

/** One page, newest first or as sorted, or the best matches of a search. */
export async function listCases(context: ActorContext, query: ListQuery) {
  const limit = pageLimit(query) ?? BATCH;
  if (isSorted(query)) return listSortedCases(context, { ...query, limit });
  if (query.ranked === '1' && query.search !== undefined)
    return rankCases(context, { statusType: query.statusType, search: query.search }, limit);
  const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
  const { statusType, search } = query;
  const wanted = { limit: limit + 1, after };
  const db = asActor(context);
  const { rows, matches } =
    search === undefined
      ? await store.listCases(db, { statusType }, wanted)
      : await (
          await searchesOf(context).of(db, context.actor)
        ).find({ statusType, search }, wanted);
  const { page, nextCursor } = cutPage(rows, limit, (row) => [row.serial]);
  const total = isWholeList(query, nextCursor) ? page.length : matches;
  return writePage(page, nextCursor, total);
}

type CasesPage = RouteReply<typeof caseRoutes.listCases>;

function writePage(page: ListedRow[], nextCursor: string | null, total: number) {
  const cases = page.map(writeCase);
  return JsonBody.list<CasesPage, 'cases'>('cases', cases, { nextCursor, ...describeTotal(total) });
}

async function rankCases(
  context: ActorContext,
  filter: store.CaseFilter & { search: string },
  limit: number,
) {
  const db = asActor(context);
  const search = await searchesOf(context).of(db, context.actor);
  const { rows, matches } = await search.rank(filter, limit);
  return writePage(rows, null, matches);
}

/** The complete list in batches, each case as JSON. */
export async function* listAllCases(
  context: ActorContext,
  filter: SortedQuery,
): AsyncGenerator<string[]> {
  const db = asActor(context);
  const batches = isSorted(filter)
    ? streamSorted(db, context.actor, { ...filter, limit: BATCH })
    : inBatchesOf((page) => store.listAll(db, filter, page));
  for await (const rows of batches) yield rows.map(writeCase);
}

/** The complete list with database-only fields, such as email addresses of assigned users. */
export function streamCases(
  context: ActorContext,
  filter: store.CaseFilter,
): AsyncGenerator<store.CaseRow[]> {
  return inBatchesOf((page) => store.listNewest(asActor(context), filter, page));
}

async function* inBatchesOf<Row extends { serial: string }>(
  read: (page: store.CasePage) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: string | undefined;
  for (;;) {
    const rows = await read({ limit: BATCH, after });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.serial;
  }
}

/** @throws Refusal notFound */
export async function readCase(context: ActorContext, id: string): Promise<Case> {
  return store.toCase(await findVisibleCase(asActor(context), id));
}

/** @throws Refusal notPermitted, invalidInput for unknown users, conflict for a taken case number */
export async function openCase(
  context: ActorContext,
  input: CaseInput,
  once?: IdempotencyKey,
): Promise<Case> {
  allow(context.actor, 'createCases');
  return write(
    context,
    async (unit) => {
      const opened = await addCase(context, unit, input);
      await queueConflictCheck(unit.trx, opened.id, context.actor.id);
      return opened;
    },
    once && { ...once, requireVisible: (trx, { id }) => findVisibleCase(trx, id) },
  );
}

/** Opens a case as part of another write. */
export async function addCase(context: ActorContext, unit: Unit, input: CaseInput): Promise<Case> {
  const ids = [...new Set(input.assignedUsers)];
  const assigned = await requireAssignable(unit.trx, { ids, path: 'assignedUsers' });
  const row = await toNewRow(context, input);
  const inserted = await store.insertCase(unit.trx, row, assigned);
  if (!inserted) throw caseNumberTaken();
  const opened = store.toCase(inserted);
  await addNames(unit.trx, namesOfCase(opened));
  await unit.record({ ...about(opened), action: 'created', after: opened });
  unit.emit('case.created', opened);
  if (hasSol(opened))
    await openLimitation(context, unit, { matter: opened, people: input.limitation });
  await openCaseParties(unit, opened, input.contacts);
  return opened;
}

async function toNewRow(context: ActorContext, input: CaseInput): Promise<NewCaseRow> {
  const now = new Date();
  if (input.notFiled !== true) return rules.toRow(input, now);
  const [{ timeZone }, user] = await Promise.all([readFirm(context), readCurrentUser(context)]);
  const today = nowAt(now, timeZone).day;
  const attorney = fullName(user);
  return rules.toUnfiledRow(rules.fillUnfiled(input, { today, attorney }), now);
}

/** Whether a case has a date of its limitation. */
function hasSol<Matter extends Pick<Case, 'SOL'>>(
  matter: Matter,
): matter is Matter & { SOL: string } {
  return matter.SOL !== null;
}

/** @throws Refusal notPermitted, notFound, invalidInput for unknown users, conflict */
export async function changeCase(
  context: ActorContext,
  id: string,
  patch: CasePatch,
): Promise<Case> {
  allow(context.actor, 'createCases');
  if (!isId(id)) throw notFound('Case');
  try {
    return await write(context, (unit) => applyCaseChange(context, unit, { id, patch }));
  } catch (error) {
    throw isDuplicate(error, 'cases_case_no_key_key') ? caseNumberTaken() : error;
  }
}

/**
 * Says why no statute of limitations applies to a case without an SOL.
 * @throws Refusal notPermitted, notFound, conflict for a case that has an SOL
 */
export async function declineStatute(
  context: ActorContext,
  id: string,
  reason: string,
): Promise<Case> {
  allow(context.actor, 'createCases');
  if (!isId(id)) throw notFound('Case');
  return write(context, async (unit) => {
    const row = await store.lockCase(unit.trx, id);
    if (!row) throw notFound('Case');
    if (row.sol !== null) throw new Refusal('conflict', 'This matter has a statute date');
    const now = new Date();
    const before = store.toCase(row, now);
    const incomplete = row.incomplete.filter((path) => path !== 'SOL');
    await store.updateCase(unit.trx, row, { no_statute: reason, incomplete });
    const after = store.toCase(await findVisibleCase(unit.trx, id), now);
    await unit.record({ ...about(after), action: 'updated', ...changedMembers({ before, after }) });
    unit.emit('case.updated', after);
    return after;
  });
}

/** Copies changes of a contact into its case, if `toPatch` finds any. */
export async function changeCaseCopy(
  context: ActorContext,
  unit: Unit,
  { id, toPatch }: { id: string; toPatch: (matter: Case) => CasePatch | undefined },
): Promise<void> {
  const patch = toPatch(store.toCase(await findVisibleCase(unit.trx, id)));
  if (patch) await applyCaseChange(context, unit, { id, patch });
}

/** Sets the SOL to the date of the case's limitation, and shows what waits of it. */
export async function followLimitation(unit: Unit, id: string, SOL: string): Promise<void> {
  const row = await store.lockCase(unit.trx, id);
  if (!row) return;
  const now = new Date();
  if (row.sol === SOL) return unit.emit('case.updated', store.toCase(row, now));
  const before = store.toCase(row, now);
  await store.updateCase(unit.trx, row, { sol: SOL });
  const after = store.toCase(await findVisibleCase(unit.trx, id), now);
  await unit.record({ ...about(after), action: 'updated', ...changedMembers({ before, after }) });
  unit.emit('case.updated', after);
}

/** States for the record; the history of the limitation has what waits. */
function changedMembers({ before, after }: { before: Case; after: Case }) {
  const { waiting: _before, ...from } = before;
  const { waiting: _after, ...to } = after;
  return { before: from, after: to };
}

/** Active cases whose statute of limitations falls in the given days, with their total. */
export async function listLimitationsBetween(
  context: ActorContext,
  days: { from: string; to: string; limit: number },
) {
  const [rows, total] = await Promise.all([
    store.listLimitations(asActor(context), days),
    store.countLimitations(asActor(context), days),
  ]);
  return { limitations: rows.map(toBrief).filter(hasSol), total };
}

/** Most recently opened active cases, and totals by status type. */
export async function summarizeCases(context: ActorContext, limit: number) {
  const [recent, counts] = await Promise.all([
    store.listNewest(asActor(context), { statusType: 'Active' }, { limit }),
    store.countByStatusType(asActor(context)),
  ]);
  const countOf = (type: StatusType) =>
    counts.find((one) => one.status_type === type)?.counted ?? 0;
  return {
    recentCases: recent.map(toBrief),
    active: countOf('Active'),
    archived: countOf('Archive'),
  };
}

/** For other features' entities of a case. */
export async function caseExists(db: Scoped, id: string): Promise<boolean> {
  return isId(id) && (await store.hasCase(db, id));
}

/** Refreshes a case for those who have it open, after something was added to it or removed. */
export async function refreshCase(unit: Unit, id: string): Promise<void> {
  unit.emit('case.updated', store.toCase(await findVisibleCase(unit.trx, id)));
}

export function caseNumberTaken(): Refusal {
  const { path, message } = rules.CASE_NUMBER_TAKEN;
  return fieldRefusal('alreadyExists', path, message);
}

/** Fields of every audit entry about a case. */
export function about({ id }: { id: string }) {
  return { entity: 'case', entityId: id, caseId: id } as const;
}

async function listSortedCases(
  context: ActorContext,
  query: SortedQuery & PageQuery & { limit: number },
) {
  const db = asActor(context);
  const { page, nextCursor } = await listSorted(db, context.actor, query);
  const total = isWholeList(query, nextCursor)
    ? page.length
    : await countSorted(db, context.actor, query);
  return writePage(page, nextCursor, total);
}

async function findVisibleCase(db: Scoped, id: string): Promise<store.CaseRow> {
  const row = isId(id) ? await store.findCase(db, id) : undefined;
  if (!row) throw notFound('Case');
  return row;
}

/** @throws Refusal notFound, invalidInput for unknown users, conflict */
export async function applyCaseChange(
  context: ActorContext,
  unit: Unit,
  { id, patch }: { id: string; patch: CasePatch },
): Promise<Case> {
  const row = await store.lockCase(unit.trx, id);
  if (!row) throw notFound('Case');
  const now = new Date();
  const before = store.toCase(row, now);
  if (patch.assignedUsers) {
    const already = row.assigned.map((person) => person.id);
    const userIds = await assignableUsers(unit, patch.assignedUsers, already);
    const matter = { kind: 'cases', id } as const;
    if (row.is_walled) await requireAssignment(unit, context.actor, { matter, assigned: userIds });
    await store.assignUsers(unit.trx, id, userIds);
  }
  const days = rules.keepDaysOpen(row, patch, now);
  const change = rules.toColumns(patch);
  const missing = rules.keepMissing(row, change);
  await store.updateCase(unit.trx, row, { ...change, ...days, ...missing });
  await followSol(context, unit, { before, SOL: patch.SOL ?? before.SOL });
  const after = store.toCase(await findVisibleCase(unit.trx, id), now);
  await saveNames(unit.trx, namesOfCase(after));
  const action = rules.nameOfChange(before, after);
  await unit.record({ ...about(after), action, ...changedMembers({ before, after }) });
  unit.emit('case.updated', after);
  await followCaseParties(unit, { before, after });
  return after;
}

async function followSol(
  context: ActorContext,
  unit: Unit,
  { before, SOL }: { before: Case; SOL: string | null },
): Promise<void> {
  if (SOL === null || SOL === before.SOL) return;
  const after = { ...before, SOL };
  if (hasSol(before)) await followLimitationChange(context, unit, { before, after });
  else await openLimitation(context, unit, { matter: after, people: undefined });
}

/** Drops duplicates and keeps the order. */
async function assignableUsers(
  unit: Unit,
  asked: string[],
  already: string[] = [],
): Promise<string[]> {
  const ids = [...new Set(asked)];
  await requireAssignable(unit.trx, { ids, path: 'assignedUsers', already });
  return ids;
}

/** The total of a whole list is its length: a separate count may see a case that was opened or hidden in between. */
function isWholeList({ cursor }: PageQuery, nextCursor: string | null): boolean {
  return cursor === undefined && nextCursor === null;
}

function toBrief(row: {
  id: string;
  case_name: string;
  case_no: string | null;
  status: string;
  sol: string | null;
  waiting: WaitingDate | null;
}) {
  const { id, case_name: caseName, case_no: caseNo, status, sol: SOL, waiting } = row;
  return { id, caseName, caseNo, status, SOL, ...(waiting && { waiting }) };
}

function isSorted({ sort, status, type, assigned, incomplete }: SortedQuery): boolean {
  const isNarrow = status !== undefined || type !== undefined || assigned !== undefined;
  const hasFilter = isNarrow || incomplete === '1';
  return hasFilter || (sort !== undefined && sort !== 'newest');
}

/** @throws Refusal invalidInput for a cursor of another order */
async function listSorted(
  db: Scoped,
  actor: Actor,
  { sort = 'newest', ...query }: SortedQuery & { limit: number; cursor?: string | undefined },
) {
  const order = sorted.orderOf(sort);
  const filter = filterOf(actor, query);
  const after = query.cursor === undefined ? undefined : readKey(query.cursor, sort, order.by);
  const rows = await sorted.listSorted(db, filter, {
    ...order,
    limit: query.limit + 1,
    after,
  });
  return cutPage(rows, query.limit, (row) => [sort, row.sort_key, row.serial]);
}

function countSorted(db: Scoped, actor: Actor, query: SortedQuery): Promise<number> {
  return sorted.countSorted(db, filterOf(actor, query));
}

/** The whole list in batches. */
async function* streamSorted(
  db: Scoped,
  actor: Actor,
  query: SortedQuery & { limit: number },
): AsyncGenerator<ListedRow[]> {
  let cursor: string | undefined;
  do {
    const { page, nextCursor } = await listSorted(db, actor, { ...query, cursor });
    if (page.length > 0) yield page;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function filterOf(actor: Actor, { assigned, incomplete, ...query }: SortedQuery) {
  const { statusType, search, status, type } = query;
  const user = assigned === 'me' ? actor.id : assigned;
  const known = user === undefined || isId(user) ? user : NIL_ID;
  const isIncomplete = incomplete === '1';
  return { statusType, search, status, type, assigned: known, isIncomplete };
}

function readKey(cursor: string, sort: CaseSort, by: keyof typeof KEYS): string[] {
  const [of, ...key] = readCursor(cursor, [/^-?\w+$/, KEYS[by], SERIAL]);
  const isDay = by !== 'sol' || key[0] === 'infinity' || !Number.isNaN(Date.parse(key[0] ?? ''));
  if (of !== sort || !isDay || cursor !== writeCursor([sort, ...key]))
    throw invalidField('cursor', 'Invalid cursor');
  return key;
}
