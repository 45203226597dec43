import { sql, type Selectable, type Updateable } from 'kysely';
import type { Case, Person, StatusType } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { insertMany } from '../../db/insert-many.ts';
import type { CasesTable, Executor, NewCaseRow, Transaction } from '../../db/schema.ts';
import { bigramQuery, containing, fold, searchText } from '../../db/search.ts';
import { daysOpenAt } from './rules.ts';

/** Searched columns. */
const searched = [
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
const columns = ['id', 'serial', 'status_type', ...searched, ...days, ...times] as const;

const counting = sql<number>`count(*)::int`.as('counted');

type Assigned = Person & { email: string };
type Filed = { name: string; folder: string };
export type CaseRow = Pick<Selectable<CasesTable>, (typeof columns)[number]> & {
  assigned: Assigned[];
  newest_files: Filed[];
};

const assigned = sql<Assigned[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', u.id, 'firstName', u.first_name,
    'lastName', u.last_name, 'email', u.email) order by a.position)
  from case_assignments a join users u on u.id = a.user_id where a.case_id = cases.id), '[]')`;

const newestFiles = sql<Filed[]>`coalesce((
  select jsonb_agg(jsonb_build_object('name', n.name, 'folder', n.folder) order by n.created_at desc, n.id desc)
  from (select f.id, f.created_at, f.name, d.name as folder
    from files f join folders d on d.id = f.folder_id
    where f.case_id = cases.id and f.deleted_at is null
    order by f.created_at desc, f.id desc limit 5) n), '[]')`;

export function toCase(row: CaseRow, now = new Date()): Case {
  return {
    id: row.id,
    caseName: row.case_name,
    caseNo: row.case_no,
    statusType: row.status_type,
    status: row.status,
    judge: row.judge,
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
    assignedUsers: row.assigned.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
    clientInfo: {
      name: row.client_name,
      phoneNumber: row.client_phone_number,
      email: row.client_email,
      address: row.client_address,
    },
    opposingCounselInfo: {
      organization: row.counsel_organization,
      name: row.counsel_name,
      phoneNumber: row.counsel_phone_number,
      email: row.counsel_email,
      address: row.counsel_address,
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** From this share of matching cases on, walking the list beats the index. */
const COMMON = 0.2;

export type CaseFilter = { statusType?: StatusType | undefined; search?: string | undefined };
type Search = CaseFilter & { search: string };

function ofStatus(db: Executor, { statusType }: CaseFilter) {
  return db
    .selectFrom('cases')
    .$if(statusType !== undefined, (query) =>
      query.where('status_type', '=', statusType ?? 'Active'),
    );
}

const like = (search: string) => sql<boolean>`search_text like ${containing(search)}`;

/** Counts up to one above the cap. */
export async function countCases(db: Executor, filter: Pick<CaseFilter, 'statusType'>) {
  const { counted } = await db
    .selectFrom(
      ofStatus(db, filter)
        .select('serial')
        .limit(TOTAL_CAP + 1)
        .as('counted'),
    )
    .select(counting)
    .executeTakeFirstOrThrow();
  return counted;
}

export type CasePage = { limit: number; after?: string | undefined };

/** Newest first, below the serial `after`, with the total up to one above the cap. */
export async function listCases(
  db: Executor,
  filter: CaseFilter,
  page: CasePage,
): Promise<{ rows: CaseRow[]; matches: number }> {
  const { search } = filter;
  if (search === undefined)
    return { matches: await countCases(db, filter), rows: await listNewest(db, filter, page) };
  const { matches, ids } = await findHits(db, { ...filter, search }, page);
  // With that many hits, walking the list soon finds enough.
  if (matches > TOTAL_CAP) return { matches, rows: await listNewest(db, filter, page) };
  return { matches, rows: (await findCases(db, ids)).toReversed() };
}

/** Newest first, below the serial `after`. */
export function listNewest(db: Executor, filter: CaseFilter, { limit, after }: CasePage) {
  return ofStatus(db, filter)
    .$if(filter.search !== undefined, (query) => query.where(like(filter.search ?? '')))
    .$if(after !== undefined, (query) => query.where('serial', '<', after ?? ''))
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')])
    .orderBy('serial', 'desc')
    .limit(limit)
    .execute();
}

/** Reads each hit once, for both the count and the page. */
async function findHits(
  db: Executor,
  filter: Search,
  { limit, after }: CasePage,
): Promise<{ matches: number; ids: string[] }> {
  const hits = await hitsOf(db, filter);
  const found = await db
    .with(
      (cte) => cte('hits').materialized(),
      () => hits.select(['id', 'serial']).limit(TOTAL_CAP + 1),
    )
    .selectNoFrom((eb) => [
      eb.selectFrom('hits').select(eb.fn.countAll<string>().as('n')).as('matches'),
      sql<string[]>`array(${eb
        .selectFrom('hits')
        .select('id')
        .$if(after !== undefined, (query) => query.where('serial', '<', after ?? ''))
        .orderBy('serial', 'desc')
        .limit(limit)})`.as('ids'),
    ])
    .executeTakeFirstOrThrow();
  return { matches: Number(found.matches), ids: found.ids };
}

async function hitsOf(db: Executor, filter: Search) {
  const bigrams = bigramQuery(filter.search);
  if (bigrams !== undefined && (await shareOf(db, filter.search)) < COMMON)
    return ofStatus(db, filter).where(sql<boolean>`bigrams(search_text) @@ ${bigrams}::tsquery`);
  // In list order, since common terms soon appear on the walk.
  return ofStatus(db, filter).where(like(filter.search)).orderBy('serial', 'desc');
}

/** Estimated share of cases that contain a term, 0 to 1, from the planner's sample. */
async function shareOf(db: Executor, search: string): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    select avg((search_text like ${containing(search)})::int)::float8 as share
    from pg_stats, unnest(histogram_bounds::text::text[]) as sample (search_text)
    where schemaname = current_schema and tablename = 'cases' and attname = 'search_text'
  `.execute(db);
  return rows[0]?.share ?? 1;
}

function selectCases(db: Executor) {
  return db
    .selectFrom('cases')
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')]);
}

export function findCase(db: Executor, id: string): Promise<CaseRow | undefined> {
  return selectCases(db).where('id', '=', id).executeTakeFirst();
}

export async function hasCase(db: Executor, id: string): Promise<boolean> {
  const found = await db.selectFrom('cases').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/** In order of opening. */
export async function findCases(db: Executor, ids: string[]): Promise<CaseRow[]> {
  if (ids.length === 0) return [];
  return selectCases(db).where('id', 'in', ids).orderBy('serial').execute();
}

export function lockCase(trx: Transaction, id: string): Promise<CaseRow | undefined> {
  return selectCases(trx).where('id', '=', id).forUpdate('cases').executeTakeFirst();
}

/** Derived columns for search and uniqueness. */
function derived(row: Pick<CaseRow, (typeof searched)[number]>) {
  return {
    case_no_key: fold(row.case_no),
    search_text: searchText(searched.map((column) => row[column])),
  };
}

/** @returns ids in the order of the rows; fewer when a case number is taken */
export async function insertCases(trx: Transaction, rows: NewCaseRow[]): Promise<string[]> {
  const inserted = await trx
    .insertInto('cases')
    .values(rows.map((row) => ({ ...row, ...derived(row) })))
    .onConflict((conflict) => conflict.column('case_no_key').doNothing())
    .returning('id')
    .execute();
  return inserted.map((row) => row.id);
}

/** Inserts many rows with ids of the caller, whose case numbers are free. */
export async function insertManyCases(trx: Transaction, rows: (NewCaseRow & { id: string })[]) {
  await insertMany(
    trx,
    'cases',
    rows.map((row) => ({ ...row, ...derived(row) })),
  );
}

/** Folded case numbers that are taken. */
export async function takenCaseNumbers(db: Executor, caseNumbers: string[]): Promise<Set<string>> {
  if (caseNumbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('case_no_key')
    .where('case_no_key', '=', sql<string>`any(${caseNumbers.map(fold)})`)
    .execute();
  return new Set(rows.map((row) => row.case_no_key));
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
      ...derived({ ...row, ...change } as CaseRow),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', row.id)
    .execute();
}

export async function assignUsers(trx: Transaction, caseId: string, userIds: string[]) {
  await trx.deleteFrom('case_assignments').where('case_id', '=', caseId).execute();
  await insertAssignments(trx, [{ caseId, userIds }]);
}

export async function insertAssignments(
  trx: Transaction,
  assignments: { caseId: string; userIds: string[] }[],
): Promise<void> {
  const rows = assignments.flatMap(({ caseId, userIds }) =>
    userIds.map((userId, position) => ({ case_id: caseId, user_id: userId, position })),
  );
  if (rows.length > 0) await trx.insertInto('case_assignments').values(rows).execute();
}
