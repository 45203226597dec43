import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Case, StatusType, WaitingDate } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import {
  assigned,
  type AssignedPerson,
  fileCount,
  type FileLocation,
  newestFiles,
  solInEffect,
  waitingSol,
} from '../../db/cases.ts';
import type { CasesTable, NewCaseRow, Scoped, Transaction } from '../../db/schema.ts';
import { fold, holdsWords, searchText } from '../../db/search.ts';
import { CompiledStatement, type Slots, insertMany } from '../../db/statements.ts';
import { daysOpenAt, type FilledRow, type MaybeMissing } from './rules.ts';
import { listColumns, type ListedRow } from './store.listed.ts';

/** Searched columns. */
export const searched = [
  'case_name',
  'case_no',
  'status',
  'type',
  'judge',
  'managing_attorney',
  'client_name',
  'client_phone_number',
  'client_email',
  'client_address',
  'counsel_organization',
  'counsel_name',
  'counsel_phone_number',
  'counsel_email',
  'counsel_address',
] as const;

const days = ['date_of_opening', 'doi', 'sol', 'days_open', 'days_open_since'] as const;
const times = ['archived_at', 'created_at', 'updated_at'] as const;
export const columns = [
  'id',
  'serial',
  'status_type',
  'access',
  'is_walled',
  ...searched,
  ...days,
  ...times,
  'incomplete',
  'no_statute',
] as const;

export type CaseRow = Pick<Selectable<CasesTable>, (typeof columns)[number]> & {
  assigned: AssignedPerson[];
  newest_files: FileLocation[];
  file_count: number;
  waiting: WaitingDate | null;
};

/** Read for each row. */
export const details = [
  assigned.as('assigned'),
  newestFiles.as('newest_files'),
  fileCount.as('file_count'),
  waitingSol.as('waiting'),
] as const;

export type CaseFilter = { statusType?: StatusType | undefined; search?: string | undefined };
export type CasePage = { limit: number; after?: string | undefined };

/** A number that occurs often, in the text, so that a prepared statement's plan counts on it. */
export const inText = (count: number) => sql<number>`${sql.lit(count)}`;

type PageStart = { statusType: StatusType; after: string };

const pageOf = (isOfStatus: boolean, isLater: boolean) =>
  new CompiledStatement((db, value: Slots<PageStart>) =>
    db
      .selectFrom('cases')
      .select(listColumns)
      .$if(isOfStatus, (query) => query.where('status_type', '=', value('statusType')))
      .$if(isLater, (query) => query.where('serial', '<', value('after')))
      .select(keptCount('cases', isOfStatus ? value('statusType') : undefined).as('matches'))
      .orderBy('serial', 'desc')
      .limit(inText(DEFAULT_PAGE_SIZE + 1)),
  );
/** The pages that are read most. */
const pages = {
  all: { first: pageOf(false, false), later: pageOf(false, true) },
  ofStatus: { first: pageOf(true, false), later: pageOf(true, true) },
};

const reading = new CompiledStatement((db, value: Slots<{ id: string }>) =>
  selectCases(db).where('id', '=', value('id')),
);

const existence = new CompiledStatement((db, value: Slots<{ id: string }>) =>
  db.selectFrom('cases').select('id').where('id', '=', value('id')),
);

const assignment = new CompiledStatement(
  (_db, value: Slots<{ rows: string }>) => sql`
    insert into case_assignments (case_id, user_id, position)
    select case_id, user_id, position
    from json_to_recordset(${value('rows')}) as row (case_id uuid, user_id uuid, position int)`,
);

const counting = sql<number>`count(*)::int`.as('counted');

/** First and last day, `YYYY-MM-DD`. */
type DayRange = { from: string; to: string };

/** Kept counts, and whether walls show the user in scope more, or less, than most users see. */
export type Counts = { cases: number; changes: number; isOwn: boolean };

type VisibleShare = {
  isOwn: boolean;
  /** Cases that the user sees, and all cases. */
  seen: number;
  all: number;
};

export function toCase(row: CaseRow, now = new Date()): Case {
  const missing = new Set(row.incomplete);
  const known = (path: MaybeMissing, text: string) => (missing.has(path) ? null : text);
  return {
    id: row.id,
    caseName: row.case_name,
    caseNo: row.case_no,
    statusType: row.status_type,
    status: row.status,
    judge: known('judge', row.judge),
    dateOfOpening: row.date_of_opening,
    managingAttorney: row.managing_attorney,
    DOI: row.doi,
    SOL: row.sol,
    daysOpen: daysOpenAt(row, now),
    type: row.type,
    download: row.newest_files.map(({ name, folder }) => ({
      name,
      url: contentUrl(row.id, folder, name),
    })),
    fileCount: row.file_count,
    assignedUsers: row.assigned.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
    clientInfo: {
      name: row.client_name,
      phoneNumber: known('clientInfo.phoneNumber', row.client_phone_number),
      email: known('clientInfo.email', row.client_email),
      address: known('clientInfo.address', row.client_address),
    },
    opposingCounselInfo: {
      organization: known('opposingCounselInfo.organization', row.counsel_organization),
      name: known('opposingCounselInfo.name', row.counsel_name),
      phoneNumber: known('opposingCounselInfo.phoneNumber', row.counsel_phone_number),
      email: known('opposingCounselInfo.email', row.counsel_email),
      address: known('opposingCounselInfo.address', row.counsel_address),
    },
    incomplete: row.incomplete,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.is_walled && { access: row.access }),
    ...(row.waiting && { waiting: row.waiting }),
    ...(row.no_statute !== null && { noStatute: row.no_statute }),
  };
}

export function ofStatus(db: Scoped, { statusType }: CaseFilter) {
  return db
    .selectFrom('cases')
    .$if(statusType !== undefined, (query) =>
      query.where('status_type', '=', statusType ?? 'Active'),
    );
}

/** Newest first, below the serial `after`. */
export function listNewest(db: Scoped, filter: CaseFilter, page: CasePage): Promise<CaseRow[]> {
  return newest(db, filter, page).select(columns).select(details).execute();
}

/** List rows, newest first, below the serial `after`. */
export function listAll(db: Scoped, filter: CaseFilter, page: CasePage): Promise<ListedRow[]> {
  return newest(db, filter, page).select(listColumns).execute();
}

/** A page of list rows without a search, with the number of all cases of the status. */
export async function listCases(
  db: Scoped,
  { statusType }: Pick<CaseFilter, 'statusType'>,
  page: CasePage,
): Promise<{ rows: ListedRow[]; matches: number }> {
  const rows =
    page.limit === DEFAULT_PAGE_SIZE + 1
      ? await listPage(db, statusType, page.after)
      : await newest(db, { statusType }, page)
          .select(listColumns)
          .select(keptCount('cases', statusType).as('matches'))
          .execute();
  return { rows, matches: rows[0]?.matches ?? (await readCounts(db, statusType)).cases };
}

export function findCase(db: Scoped, id: string): Promise<CaseRow | undefined> {
  return reading.row(db, { id });
}

export async function hasCase(db: Scoped, id: string): Promise<boolean> {
  return (await existence.row(db, { id })) !== undefined;
}

/** In order of opening. */
export async function findCases(db: Scoped, ids: string[]): Promise<ListedRow[]> {
  if (ids.length === 0) return [];
  // One parameter, so that the statement is the same for any number of ids.
  return db
    .selectFrom('cases')
    .select(listColumns)
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('serial')
    .execute();
}

export function lockCase(trx: Transaction, id: string): Promise<CaseRow | undefined> {
  return selectCases(trx).where('id', '=', id).forUpdate('cases').executeTakeFirst();
}

/** A new case that everyone sees, and the users to assign to it in their order. */
export type AddedCase = {
  row: Omit<FilledRow, 'access' | 'is_walled' | 'incomplete' | 'no_statute'> & {
    incomplete?: string[] | undefined;
  };
  assigned: AssignedPerson[];
};
/** Columns of a new case that the database fills. */
export type FilledIn = Pick<CaseRow, 'id' | 'serial' | 'created_at' | 'updated_at'>;

/**
 * Inserts many cases with one parameter, which costs a fraction of a parameter for each value.
 * @returns what the database filled in, in the order of the rows; fewer when a case number is taken
 */
export async function insertCases(trx: Transaction, added: AddedCase[]): Promise<FilledIn[]> {
  const rows = added.map(({ row, assigned }) => ({
    ...row,
    ...derivedColumns(row),
    people: assigned.map(({ id }) => id),
  }));
  const [first] = rows;
  if (!first) return [];
  const given = sql.join(Object.keys(first).map((column) => sql.id(column)));
  const { rows: opened } = await sql<FilledIn>`
    insert into cases (${given}) select ${given}
    from json_populate_recordset(null::cases, ${JSON.stringify(rows)})
    on conflict (case_no_key) do nothing returning id, serial, created_at, updated_at`.execute(trx);
  const assignments = opened.map(({ id }, index) => ({
    caseId: id,
    userIds: added[index]?.assigned.map((one) => one.id) ?? [],
  }));
  await insertAssignments(trx, assignments);
  return opened;
}

/** A new case as it is read. */
export function toNewRow({ row, assigned }: AddedCase, filled: FilledIn): CaseRow {
  const open = { access: 'open' as const, is_walled: false, incomplete: [], no_statute: null };
  const incomplete = row.incomplete ?? [];
  return { ...open, ...row, ...filled, incomplete, ...newDetails(assigned) };
}

/** Inserts many rows with ids of the caller, whose case numbers are free. */
export async function insertManyCases(trx: Transaction, rows: (NewCaseRow & { id: string })[]) {
  await insertMany(
    trx,
    'cases',
    rows.map((row) => ({ ...row, ...derivedColumns(row) })),
  );
}

/** @returns the row as read, or undefined when its case number is taken */
export async function insertCase(
  trx: Transaction,
  row: NewCaseRow,
  assigned: AssignedPerson[],
): Promise<CaseRow | undefined> {
  const userIds = assigned.map((person) => person.id);
  const added = { ...row, people: userIds };
  const inserted = await insertCasesQuery(trx, [added]).returning(columns).executeTakeFirst();
  if (!inserted) return undefined;
  await insertAssignments(trx, [{ caseId: inserted.id, userIds }]);
  return { ...inserted, ...newDetails(assigned) };
}

/** Details of a case to which nothing belongs yet. */
function newDetails(assigned: AssignedPerson[]) {
  return { assigned, newest_files: [], file_count: 0, waiting: null };
}

/** Folded case numbers that are taken. */
export async function takenCaseNumbers(db: Scoped, caseNumbers: string[]): Promise<Set<string>> {
  if (caseNumbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('case_no_key')
    .where('case_no_key', '=', sql<string>`any(${caseNumbers.map(fold)})`)
    .execute();
  return new Set(rows.flatMap((row) => row.case_no_key ?? []));
}

/** Updates a locked row. */
export async function updateCase(
  trx: Transaction,
  row: CaseRow,
  change: Updateable<CasesTable>,
): Promise<void> {
  await trx
    .updateTable('cases')
    .set({
      ...change,
      ...derivedColumns({ ...row, ...change } as CaseRow),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', row.id)
    .execute();
}

export async function assignUsers(trx: Transaction, caseId: string, userIds: string[]) {
  await trx.deleteFrom('case_assignments').where('case_id', '=', caseId).execute();
  await insertAssignments(trx, [{ caseId, userIds }]);
}

/** Sent with the transaction's next statement. */
async function insertAssignments(
  trx: Transaction,
  assignments: { caseId: string; userIds: string[] }[],
): Promise<void> {
  const rows = assignments.flatMap(({ caseId, userIds }) =>
    userIds.map((userId, position) => ({ case_id: caseId, user_id: userId, position })),
  );
  if (rows.length > 0) await assignment.later(trx, { rows: JSON.stringify(rows) });
}

/** Active cases whose statute of limitations falls between two days, soonest first. */
export function listLimitations(db: Scoped, days: DayRange & { limit: number }) {
  return limitations(db, days)
    .select(['id', 'case_name', 'case_no', 'status', 'sol', waitingSol.as('waiting')])
    .orderBy(solInEffect)
    .orderBy('id')
    .limit(days.limit)
    .execute();
}

export async function countLimitations(db: Scoped, days: DayRange): Promise<number> {
  const { counted } = await limitations(db, days).select(counting).executeTakeFirstOrThrow();
  return counted;
}

/**
 * The kept count of cases of one status or of all, as part of another statement; or of their changes, which is the
 * same only as long as every search finds the same.
 */
export function keptCount(
  column: 'cases' | 'changes',
  statusType: StatusType | RawBuilder<StatusType> | undefined,
) {
  const ofStatus = statusType === undefined ? sql`` : sql`where status_type = ${statusType}`;
  return sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)::float8 from visible_counts ${ofStatus})`;
}

const isOwnSight = sql<boolean>`exists (select from own_sight)`;

/** Tells whether a remembered total still holds, as part of another statement. */
export const countColumns = (statusType: Parameters<typeof keptCount>[1]) =>
  [
    keptCount('cases', statusType).as('cases'),
    keptCount('changes', statusType).as('changes'),
    isOwnSight.as('isOwn'),
  ] as const;

export function readCounts(db: Scoped, statusType?: StatusType): Promise<Counts> {
  return db.selectNoFrom(countColumns(statusType)).executeTakeFirstOrThrow();
}

/** Exact, unlike a list's total. */
export function countByStatusType(db: Scoped) {
  return db
    .selectFrom('visible_counts')
    .select(['status_type', sql<number>`sum(cases)::float8`.as('counted')])
    .groupBy('status_type')
    .execute();
}

export async function readSight(db: Scoped): Promise<VisibleShare> {
  const { rows } = await sql<VisibleShare>`
    select ${isOwnSight} as "isOwn", ${keptCount('cases', undefined)} as seen,
      (select coalesce(sum(cases), 0)::float8 from case_counts) as all`.execute(db);
  return rows[0] ?? { isOwn: false, seen: 0, all: 0 };
}

function newest(db: Scoped, filter: CaseFilter, { limit, after }: CasePage) {
  return ofStatus(db, filter)
    .$if(filter.search !== undefined, (query) =>
      query.where(holdsWords(filter.search ?? '', sql.ref('search_text'))),
    )
    .$if(after !== undefined, (query) => query.where('serial', '<', after ?? ''))
    .orderBy('serial', 'desc')
    .limit(limit);
}

function listPage(db: Scoped, statusType: StatusType | undefined, after: string | undefined) {
  const { first, later } = statusType === undefined ? pages.all : pages.ofStatus;
  const page = after === undefined ? first : later;
  return page.rows(db, { statusType: statusType ?? 'Active', after: after ?? '' });
}

function selectCases(db: Scoped) {
  return db.selectFrom('cases').select(columns).select(details);
}

/** Derived columns for search and uniqueness. */
function derivedColumns(row: Pick<NewCaseRow, (typeof searched)[number]>) {
  return {
    case_no_key: row.case_no ? fold(row.case_no) : null,
    search_text: searchText(searched.map((column) => row[column] ?? '')),
  };
}

function insertCasesQuery(trx: Transaction, rows: NewCaseRow[]) {
  return trx
    .insertInto('cases')
    .values(rows.map((row) => ({ ...row, ...derivedColumns(row) })))
    .onConflict((conflict) => conflict.column('case_no_key').doNothing());
}

function limitations(db: Scoped, { from, to }: DayRange) {
  return db
    .selectFrom('cases')
    .where('status_type', '=', 'Active')
    .where(solInEffect, '>=', from)
    .where(solInEffect, '<=', to);
}

/** Those of some ids that are cases in scope. */
export async function listKnown(db: Scoped, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
