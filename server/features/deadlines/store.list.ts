// Lists of deadlines: the page and its sections, a calendar, and cases with no next date.

import { sql, type RawBuilder } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { DeadlineKind } from '@matterdesk/contract/court-rules.ts';
import type { Attention, DeadlineCounts, DeadlineStatus } from '@matterdesk/contract/deadlines.ts';
import { type CaseWord, everyCaseWord, isLimitationAhead } from '../../db/cases.ts';
import type { DeadlineState } from '../../db/schema-deadlines.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { holdsWord } from '../../db/search.ts';
import { hasId, personJsonb } from '../../db/statements.ts';
import { named, type DeadlineRow } from './store.ts';

export type DeadlineFilter = {
  status?: DeadlineStatus | undefined;
  attention?: Attention | 'mine' | undefined;
  owner?: string | undefined;
  case?: string | undefined;
  kind?: DeadlineKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
  matters?: 'active' | 'archived' | undefined;
};

/** The user for whom a list is read. */
type Reader = { id: string; editsCalendar: boolean; isDualControl: boolean };

type Condition = RawBuilder<boolean>;

/** Imported deadlines are silent until someone verifies them. Written as in the indexes. */
const isAudible = sql<boolean>`(d.status = 'open' and (not d.imported or d.verified_at is not null))`;
const isOverdue = sql<boolean>`(${isAudible} and d.due_at <= statement_timestamp())`;

/** No one, or a person who is no longer active. */
const isNoOne = (column: string) =>
  sql<boolean>`(${sql.raw(column)} is null
    or ${sql.raw(column)} = any(array(select u.id from users u where not u.active)))`;

/** Deadlines to verify, decide or acknowledge, or that lack an owner or a second. An index answers each condition. */
function waitingConditions({ id, editsCalendar: edits, isDualControl }: Reader): Condition[] {
  const mine = (column: string) => sql<boolean>`${sql.raw(column)} = ${id}`;
  const verify = sql`${isAudible} and d.hard and d.verified_at is null
    and d.dated_by is distinct from ${id}`;
  const decide = sql`d.pending is not null and d.pending->>'by' <> ${id}`;
  const own = sql`${isAudible} and d.hard and ${mine('d.owner_id')}`;
  const all = [
    sql<boolean>`${verify} and ${mine('d.second_id')}`,
    sql<boolean>`${own} and d.acknowledged_at is null`,
    edits
      ? sql<boolean>`${decide}`
      : sql<boolean>`${decide} and (${mine('d.owner_id')} or ${mine('d.second_id')})`,
  ];
  if (isDualControl) all.push(sql<boolean>`${own} and ${isNoOne('d.second_id')}`);
  if (edits) all.push(sql<boolean>`${verify} and ${isNoOne('d.second_id')}`);
  if (edits) all.push(sql<boolean>`${isAudible} and ${isNoOne('d.owner_id')}`);
  return all.map((condition) => sql<boolean>`${condition} and d.is_active`);
}

/** Ids of deadlines that meet any of the conditions. */
function unionOf(conditions: Condition[]) {
  const found = conditions.map((condition) => sql`select d.id from deadlines d where ${condition}`);
  return sql`(${sql.join(found, sql` union `)})`;
}

function isWaiting(reader: Reader): Condition {
  return sql<boolean>`d.id in ${unionOf(waitingConditions(reader))}`;
}

/** Proposals that wait for the reader. */
const countProposals = (
  { id, editsCalendar: edits, isDualControl }: Reader,
  cap: number,
) => sql<number>`(
  select count(*)::int from (select distinct i.proposal_id from deadline_proposal_items i
    join deadline_proposals p on p.id = i.proposal_id join deadlines d on d.id = i.deadline_id
    where i.status = 'open' and (${edits} or d.second_id = ${id})
      and (not d.hard or not ${isDualControl} or p.by_id is distinct from ${id}) limit ${cap}) waiting)`;

type DeadlineQuery = {
  filter: DeadlineFilter;
  reader: Reader;
  limit: number;
  after?: string[] | undefined;
};

const isActive = (column: string) =>
  sql<boolean>`exists (select from users u where u.id = ${sql.raw(column)} and u.active)`;
const open = sql<boolean>`d.status = 'open'`;
const next30 = sql<boolean>`(${open} and d.kind <> 'limitation' and d.due_at > statement_timestamp()
  and d.due_at <= statement_timestamp() + interval '30 days')`;
const limitation = sql<boolean>`(${open} and d.kind = 'limitation')`;

const conditions: Record<Attention, Condition> = {
  unverified: sql<boolean>`(${open} and d.hard and d.verified_at is null)`,
  unacknowledged: sql<boolean>`(${isAudible} and d.hard and d.acknowledged_at is null)`,
  pending: sql<boolean>`d.pending is not null`,
  noOwner: sql<boolean>`(${open} and not ${isActive('d.owner_id')})`,
  noSecond: sql<boolean>`(${open} and d.hard and not ${isActive('d.second_id')})`,
  overdue: isOverdue,
};

function matchesFilter(filter: DeadlineFilter, reader: Reader): Condition {
  const { status, attention, owner, kind, from, to } = filter;
  const all: Condition[] = [sql<boolean>`true`];
  // Written out, as the indexes have them.
  if (status) all.push(sql<boolean>`d.status = ${sql.lit(status)}`);
  if (attention) all.push(attention === 'mine' ? isWaiting(reader) : conditions[attention]);
  if (owner !== undefined) all.push(hasId('d.owner_id', owner));
  if (filter.case !== undefined) all.push(hasId('d.case_id', filter.case));
  if (kind) all.push(sql<boolean>`d.kind = ${sql.lit(kind)}`);
  if (filter.matters !== undefined)
    all.push(
      filter.matters === 'active' ? sql<boolean>`d.is_active` : sql<boolean>`not d.is_active`,
    );
  if (from !== undefined) all.push(sql<boolean>`d.effective_date >= ${from}::date`);
  if (to !== undefined) all.push(sql<boolean>`d.effective_date <= ${to}::date`);
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

/** In order of effective date, from the cursor on. */
export function listDeadlines(
  db: Scoped,
  { filter, reader, limit, after }: DeadlineQuery,
): Promise<DeadlineRow[]> {
  return named(db)
    .where(matchesFilter(filter, reader))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(d.effective_date, d.id) > (${after?.[0]}::date, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('d.effective_date')
    .orderBy('d.id')
    .limit(limit)
    .execute();
}

/** Counts up to `cap`. */
export async function countDeadlines(
  db: Scoped,
  { filter, reader, cap }: { filter: DeadlineFilter; reader: Reader; cap: number },
): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select ${upTo(cap, matchesFilter(filter, reader))} as counted`.execute(db);
  return rows[0]?.counted ?? 0;
}

function upTo(cap: number, condition: Condition) {
  return sql<number>`(select count(*)::int from (
    select from deadlines d where ${condition} limit ${cap}) counted)`;
}

const ofActive = (condition: Condition) => sql<boolean>`${condition} and d.is_active`;

/** The counts of the sections without archived matters, each up to `cap`. */
export async function countSections(
  db: Scoped,
  reader: Reader,
  cap: number,
): Promise<DeadlineCounts> {
  const { rows } = await sql<DeadlineCounts>`
    select ${upTo(cap, isWaiting(reader))} + ${countProposals(reader, cap)} as waiting, ${upTo(cap, ofActive(isOverdue))} as overdue,
      ${upTo(cap, ofActive(next30))} as next30, ${upTo(cap, ofActive(limitation))} as limitation,
      ${countIdle(cap, { isLimited: false })} as "noNextDate",
      ${countUndated(cap, {})} as "noStatute"`.execute(db);
  return (
    rows[0] ?? { waiting: 0, overdue: 0, next30: 0, limitation: 0, noNextDate: 0, noStatute: 0 }
  );
}

export type CallCounts = { waiting: number; calls: number };

/** Deadlines that wait for the reader, and these with their overdue deadlines; each counts once, up to `cap`. */
export async function countCalls(db: Scoped, reader: Reader, cap: number): Promise<CallCounts> {
  const overdueOf = ['d.owner_id', 'd.second_id'].map(
    (column) => sql<boolean>`${isOverdue} and ${sql.raw(column)} = ${reader.id} and d.is_active`,
  );
  // The second of a soft deadline has nothing to do.
  const [own, second] = [
    overdueOf[0] ?? isOverdue,
    sql<boolean>`${overdueOf[1] ?? isOverdue} and d.hard`,
  ];
  const upTo = (conditions: Condition[]) =>
    sql<number>`(select count(*)::int from (select from ${unionOf(conditions)} found limit ${cap}) capped)`;
  const { rows } = await sql<CallCounts>`
    with proposed as materialized (select ${countProposals(reader, cap)} as n)
    select ${upTo(waitingConditions(reader))} + n as waiting,
      ${upTo([...waitingConditions(reader), own, second])} + n as calls from proposed`.execute(db);
  return rows[0] ?? { waiting: 0, calls: 0 };
}

/** Days of the reader, the instants of their beginning and end, and filters. */
export type CalendarQuery = {
  from: string;
  to: string;
  begins: Date;
  ends: Date;
  people: string[] | undefined;
  caseId: string | undefined;
  words: CaseWord[] | undefined;
  limit: number;
};

export type CalendarDeadline = Pick<
  DeadlineState,
  | ('id' | 'title' | 'kind' | 'hard' | 'status' | 'case_id' | 'owner_id' | 'second_id')
  | ('date' | 'time' | 'time_zone' | 'floor_date' | 'pending' | 'effective_date' | 'due_at')
  | ('imported' | 'verified_at' | 'dated_by')
>;

/** Days for which vacated deadlines are shown. */
const VACATED_DAYS = 30;

/** Deadlines whose effective date may fall on the days, in the reader's zone or the court's, soonest first. */
export async function listCalendarDeadlines(
  db: Scoped,
  wanted: CalendarQuery,
): Promise<CalendarDeadline[]> {
  const { from, to, begins, ends, people, caseId, words, limit } = wanted;
  const conditions = [
    sql`(status <> 'vacated' or updated_at > statement_timestamp() - make_interval(days => ${VACATED_DAYS}))`,
    ...(people
      ? [sql`(owner_id = any(${people}::uuid[]) or second_id = any(${people}::uuid[]))`]
      : []),
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(words ? [everyCaseWord(words, (word) => holdsWord(sql`title`, word))] : []),
  ];
  const { rows } = await sql<CalendarDeadline>`
    select id, title, kind, hard, status, case_id, owner_id, second_id,
      date, time, time_zone, floor_date, pending, effective_date, due_at,
      imported, verified_at, dated_by
    from deadlines
    where effective_date between ${from}::date - 1 and ${to}::date + 1
      and (effective_date between ${from}::date and ${to}::date or (due_at > ${begins} and due_at < ${ends}))
      and ${sql.join(conditions, sql` and `)}
    order by effective_date, id limit ${limit}`.execute(db);
  return rows;
}

export type IdleRow = {
  id: string;
  serial: string;
  case_name: string;
  case_no: string | null;
  since: Date | null;
  assigned: Person | null;
};

/** `isLimited`: a limitation ahead counts as a date. `owner` is the first of the assigned people. */
export type IdleFilter = {
  isLimited: boolean;
  owner?: string | undefined;
  case?: string | undefined;
};

/** Active cases with nothing scheduled. */
function hasNoNextDate({ isLimited, owner, case: caseId }: IdleFilter): Condition {
  const all = [sql<boolean>`a.is_active and a.latest_at <= statement_timestamp()`];
  if (isLimited) all.push(sql<boolean>`not ${isLimitationAhead}`);
  if (caseId !== undefined) all.push(hasId('a.case_id', caseId));
  if (owner !== undefined)
    all.push(sql<boolean>`${owner} = (select s.user_id::text from case_assignments s
      where s.case_id = a.case_id order by s.position limit 1)`);
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

/** Counts cases with nothing scheduled, up to `cap`. */
const countIdle = (cap: number, filter: IdleFilter) => sql<number>`(select count(*)::int from (
  select from case_ahead a where ${hasNoNextDate(filter)} limit ${cap}) idle)`;

export async function countIdleCases(db: Scoped, cap: number, filter: IdleFilter): Promise<number> {
  const counting = countIdle(cap, filter);
  const { rows } = await sql<{ counted: number }>`select ${counting} as counted`.execute(db);
  return rows[0]?.counted ?? 0;
}

/**
 * Active cases with nothing scheduled, those that have waited the longest first.
 * @param after `since` of the last row, ISO 8601 or `-infinity`, and its serial
 */
export async function listIdleCases(
  db: Scoped,
  { limit, after, filter }: { limit: number; after?: string[] | undefined; filter: IdleFilter },
): Promise<IdleRow[]> {
  const [since, serial] = after ?? [];
  const beyond = after
    ? sql<boolean>`(a.latest_at, a.serial) > (${since}::timestamptz, ${serial}::bigint)`
    : sql<boolean>`true`;
  const { rows } = await sql<IdleRow>`
    select c.id, c.serial, c.case_name, c.case_no, nullif(a.latest_at, '-infinity') as since,
      (select ${personJsonb('u')}
        from case_assignments s join users u on u.id = s.user_id
        where s.case_id = c.id order by s.position limit 1) as assigned
    from case_ahead a join cases c on c.id = a.case_id
    where ${hasNoNextDate(filter)} and ${beyond}
    order by a.latest_at, a.serial limit ${limit}`.execute(db);
  return rows;
}

/**
 * Computes the next date of cases that lack one, in the order they were opened.
 * @returns the last serial of the batch; null at the end
 */
export async function fillNextDates(
  trx: Transaction,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select fill_case_ahead(${after}, ${limit}) as last`.execute(trx);
  return rows[0]?.last ?? null;
}

/** `owner` is the first of the assigned people. */
export type UndatedFilter = Pick<IdleFilter, 'owner' | 'case'>;
export type UndatedRow = {
  id: string;
  serial: string;
  case_name: string;
  case_no: string | null;
  created_at: Date;
  owner: Person | null;
};

/** Active cases without an SOL, unless none applies. */
function hasNoStatute({ owner, case: caseId }: UndatedFilter): Condition {
  const all = [sql<boolean>`c.status_type = 'Active' and c.sol is null and c.no_statute is null`];
  if (caseId !== undefined) all.push(hasId('c.id', caseId));
  if (owner !== undefined) all.push(sql<boolean>`c.people[1]::text = ${owner}`);
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

const countUndated = (
  cap: number,
  filter: UndatedFilter,
) => sql<number>`(select count(*)::int from (
  select from cases c where ${hasNoStatute(filter)} limit ${cap}) undated)`;

export async function countUndatedCases(
  db: Scoped,
  cap: number,
  filter: UndatedFilter,
): Promise<number> {
  const counting = countUndated(cap, filter);
  const { rows } = await sql<{ counted: number }>`select ${counting} as counted`.execute(db);
  return rows[0]?.counted ?? 0;
}

/** Active cases whose statute date is missing, the oldest first. @param after the last row's serial */
export async function listUndatedCases(
  db: Scoped,
  { limit, after, filter }: { limit: number; after?: string | undefined; filter: UndatedFilter },
): Promise<UndatedRow[]> {
  const beyond = after ? sql<boolean>`c.serial > ${after}::bigint` : sql<boolean>`true`;
  const { rows } = await sql<UndatedRow>`
    select c.id, c.serial, c.case_name, c.case_no, c.created_at,
      (select ${personJsonb('u')}
        from users u where u.id = c.people[1]) as owner
    from cases c
    where ${hasNoStatute(filter)} and ${beyond}
    order by c.serial limit ${limit}`.execute(db);
  return rows;
}
