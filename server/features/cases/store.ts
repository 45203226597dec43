import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Activity, Case, Person, StatusType } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { CasesTable, Executor, Transaction } from '../../db/schema.ts';
import { containing, fold, searchText } from '../../db/search.ts';
import { changedMembers, daysOpenAt } from './rules.ts';

/** Above so many hits the newest are found sooner by walking the list than by sorting the hits. */
const COMMON_TERM = 2000;

const columns = [
  ...(['id', 'serial', 'case_name', 'case_no', 'status_type', 'status', 'type', 'judge'] as const),
  ...(['date_of_opening', 'managing_attorney', 'doi', 'sol', 'days_open'] as const),
  ...(['days_open_since', 'archived_at', 'client_name', 'client_phone_number'] as const),
  ...(['client_email', 'client_address', 'counsel_organization', 'counsel_name'] as const),
  ...(['counsel_phone_number', 'counsel_email', 'counsel_address'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const;

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

export type CaseFilter = { statusType?: StatusType | undefined; search?: string | undefined };

function filtered(db: Executor, { statusType, search }: CaseFilter) {
  return db
    .selectFrom('cases')
    .$if(statusType !== undefined, (query) =>
      query.where('status_type', '=', statusType ?? 'Active'),
    )
    .$if(search !== undefined, (query) =>
      query.where('search_text', 'like', containing(search ?? '')),
    );
}

/** Counts up to one above the cap. */
export async function countCases(db: Executor, filter: CaseFilter): Promise<number> {
  const { counted } = await db
    .selectFrom(
      filtered(db, filter)
        .select('id')
        .limit(TOTAL_CAP + 1)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<string>().as('counted'))
    .executeTakeFirstOrThrow();
  return Number(counted);
}

export type CasePage = { limit: number; after?: string | undefined; matches?: number | undefined };

/** Newest first, below the serial `after`; `matches` says how common the search is. */
export function listCases(db: Executor, filter: CaseFilter, page: CasePage): Promise<CaseRow[]> {
  const { limit, after } = page;
  const isRare = filter.search !== undefined && (page.matches ?? 0) <= COMMON_TERM;
  const hits = filtered(db, filter).$if(after !== undefined, (query) =>
    query.where('serial', '<', after ?? ''),
  );
  const newest = isRare
    ? // The fence keeps the planner from walking the whole list in search of a few hits.
      db
        .with(
          (cte) => cte('hits').materialized(),
          () => hits.select(['id', 'serial']),
        )
        .selectFrom('cases')
        .where('id', 'in', (eb) =>
          eb.selectFrom('hits').select('id').orderBy('serial', 'desc').limit(limit),
        )
    : hits;
  return newest
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')])
    .orderBy('serial', 'desc')
    .limit(limit)
    .execute();
}

export function findCase(db: Executor, id: string): Promise<CaseRow | undefined> {
  return db
    .selectFrom('cases')
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** In the order in which they were opened. */
export function findCases(db: Executor, ids: string[]): Promise<CaseRow[]> {
  return db
    .selectFrom('cases')
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')])
    .where('id', 'in', ids)
    .orderBy('serial')
    .execute();
}

export function lockCase(trx: Transaction, id: string): Promise<CaseRow | undefined> {
  return trx
    .selectFrom('cases')
    .select(columns)
    .select([assigned.as('assigned'), newestFiles.as('newest_files')])
    .where('id', '=', id)
    .forUpdate('cases')
    .executeTakeFirst();
}

export type NewCaseRow = Omit<Insertable<CasesTable>, 'case_no_key' | 'search_text'>;
type SearchedRow = Pick<
  CaseRow,
  | 'case_name'
  | 'case_no'
  | 'status'
  | 'type'
  | 'judge'
  | 'managing_attorney'
  | 'client_name'
  | 'client_phone_number'
  | 'client_email'
  | 'client_address'
  | 'counsel_organization'
  | 'counsel_name'
  | 'counsel_phone_number'
  | 'counsel_email'
  | 'counsel_address'
>;

/** What is derived from the other columns, so that search and uniqueness follow them. */
function derived(row: SearchedRow) {
  return {
    case_no_key: fold(row.case_no),
    search_text: searchText([
      ...[row.case_name, row.case_no, row.status, row.type, row.judge, row.managing_attorney],
      ...[row.client_name, row.client_phone_number, row.client_email, row.client_address],
      ...[row.counsel_organization, row.counsel_name, row.counsel_phone_number],
      ...[row.counsel_email, row.counsel_address],
    ]),
  };
}

/** @returns the ids in the order of the rows; shorter when a case number is taken */
export async function insertCases(trx: Transaction, rows: NewCaseRow[]): Promise<string[]> {
  const inserted = await trx
    .insertInto('cases')
    .values(rows.map((row) => ({ ...row, ...derived(row) })))
    .onConflict((conflict) => conflict.column('case_no_key').doNothing())
    .returning('id')
    .execute();
  return inserted.map((row) => row.id);
}

/** Those of the given case numbers that are taken, folded. */
export async function takenCaseNumbers(db: Executor, caseNumbers: string[]): Promise<Set<string>> {
  if (caseNumbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('case_no_key')
    .where('case_no_key', 'in', caseNumbers.map(fold))
    .execute();
  return new Set(rows.map((row) => row.case_no_key));
}

/** Sets what is given on a locked row. */
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

export type ActivityRow = Awaited<ReturnType<typeof listActivity>>[number];

/** What the audit log holds of a case, newest first. */
export function listActivity(
  db: Executor,
  caseId: string,
  { limit, after }: { limit: number; after?: string | undefined },
) {
  return db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.id', 'audit_log.at', 'audit_log.action', 'audit_log.entity'])
    .select(['audit_log.entity_id', 'audit_log.before', 'audit_log.after', 'audit_log.actor_id'])
    .select(['users.first_name', 'users.last_name'])
    .where('audit_log.case_id', '=', caseId)
    .$if(after !== undefined, (query) => query.where('audit_log.id', '<', after ?? ''))
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute();
}

export function toActivity(row: ActivityRow): Activity {
  const { first_name: firstName, last_name: lastName, actor_id: id } = row;
  const state = (row.after ?? row.before ?? {}) as {
    caseName?: string;
    name?: string;
    type?: string;
  };
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: id && firstName && lastName ? { id, firstName, lastName } : null,
    action: row.action as Activity['action'],
    entity: row.entity as Activity['entity'],
    entityId: row.entity_id,
    name: state.caseName ?? state.name ?? '',
    detail:
      row.action === 'moved'
        ? [state.type ?? '']
        : changedMembers(row.before as object | null, row.after as object | null),
  };
}

/** Active cases whose statute of limitations falls between two days, soonest first. */
export function listLimitations(db: Executor, from: string, to: string, limit: number) {
  return db
    .selectFrom('cases')
    .select(['id', 'case_name', 'case_no', 'status', 'sol'])
    .where('status_type', '=', 'Active')
    .where('sol', '>=', from)
    .where('sol', '<=', to)
    .orderBy('sol')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countLimitations(db: Executor, from: string, to: string): Promise<number> {
  const { counted } = await db
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<string>().as('counted'))
    .where('status_type', '=', 'Active')
    .where('sol', '>=', from)
    .where('sol', '<=', to)
    .executeTakeFirstOrThrow();
  return Number(counted);
}
