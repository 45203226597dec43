import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { AskedName, Conclusion, Source } from '@matterdesk/contract/conflicts.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { holdsWords, searchText } from '../../../db/search.ts';
import { countUpToCap, hasId, personJsonb } from '../../../db/statements.ts';
import type { StoredDecision, StoredHit } from './rules.ts';

type SearchedSources = { source: Source; count: number }[];
export type CheckRow = {
  id: string;
  number: number;
  at: Date;
  by: Person | null;
  case_id: string | null;
  intake_id: string | null;
  case_name: string | null;
  intake_name: string | null;
  names: AskedName[];
  with_texts: boolean;
  searched: SearchedSources;
  hits: StoredHit[];
  rerun_of: string | null;
};
export type EntryRow = {
  check_id: string;
  at: Date;
  by: Person | null;
  hash: string;
} & (
  | { action: 'opened'; body: object }
  | { action: 'decided'; body: StoredDecision }
  | { action: 'concluded'; body: Conclusion }
);

const by = (alias: string) => sql<Person | null>`(
  select ${personJsonb('u')}
  from users u where u.id = ${sql.ref(`${alias}.by_id`)})`;

function selectChecks(db: Scoped) {
  return db
    .selectFrom('conflict_checks as k')
    .leftJoin('cases as c', 'c.id', 'k.case_id')
    .leftJoin('intakes as i', 'i.id', 'k.intake_id')
    .select(['k.id', 'k.number', 'k.at', 'k.case_id', 'k.intake_id', 'c.case_name', 'k.names'])
    .select('i.name as intake_name')
    .select(['k.with_texts', 'k.searched', 'k.hits', 'k.rerun_of'])
    .select(by('k').as('by'));
}

export function findCheck(db: Scoped, id: string): Promise<CheckRow | undefined> {
  return selectChecks(db).where('k.id', '=', id).executeTakeFirst();
}

export function listChecksById(db: Scoped, ids: string[]): Promise<CheckRow[]> {
  return selectChecks(db)
    .where('k.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export type CheckFilter = {
  search?: string | undefined;
  caseId?: string | undefined;
  intakeId?: string | undefined;
};

function filtered(db: Scoped, { search, caseId, intakeId }: CheckFilter) {
  return selectChecks(db)
    .$if(search !== undefined, (query) =>
      query.where(holdsWords(search ?? '', sql.ref('k.search_text'))),
    )
    .$if(caseId !== undefined, (query) =>
      query.where(
        // As an array, which an index finds.
        sql<boolean>`(${hasId('k.case_id', caseId ?? '')} or k.intake_id = any(array(
          select i.id from intakes i where ${hasId('i.case_id', caseId ?? '')})))`,
      ),
    )
    .$if(intakeId !== undefined, (query) => query.where(hasId('k.intake_id', intakeId ?? '')));
}

/** Newest first, below the number `after`. */
export function listChecks(
  db: Scoped,
  filter: CheckFilter,
  { limit, after }: { limit: number; after?: number | undefined },
): Promise<CheckRow[]> {
  return filtered(db, filter)
    .$if(after !== undefined, (query) => query.where('k.number', '<', after ?? 0))
    .orderBy('k.number', 'desc')
    .limit(limit)
    .execute();
}

export function countChecks(db: Scoped, filter: CheckFilter): Promise<number> {
  return countUpToCap(db, filtered(db, filter).clearSelect().select('k.id'));
}

/** Entries of these checks, in the order in which they were made. */
export async function listEntries(db: Scoped, checkIds: string[]): Promise<EntryRow[]> {
  return db
    .selectFrom('conflict_entries as e')
    .select(['e.check_id', 'e.at', 'e.action', 'e.body', by('e').as('by')])
    .select(sql<string>`encode(e.hash, 'hex')`.as('hash'))
    .where('e.check_id', '=', sql<string>`any(${checkIds}::uuid[])`)
    .orderBy('e.id')
    .execute();
}

export type NewCheckRow = {
  by: string | null;
  caseId: string | null;
  intakeId: string | null;
  names: AskedName[];
  withTexts: boolean;
  searched: SearchedSources;
  hits: StoredHit[];
  rerunOf: string | null;
};

/** Saves a check with its first entry, which holds all of it. @returns its id */
export async function insertCheck(trx: Transaction, check: NewCheckRow): Promise<string> {
  const { id, number } = await trx
    .insertInto('conflict_checks')
    .values({
      by_id: check.by,
      case_id: check.caseId,
      intake_id: check.intakeId,
      names: JSON.stringify(check.names),
      with_texts: check.withTexts,
      searched: JSON.stringify(check.searched),
      hits: JSON.stringify(check.hits),
      rerun_of: check.rerunOf,
      search_text: searchText(check.names.flatMap(({ name, otherNames }) => [name, ...otherNames])),
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow();
  const { by: byId, ...body } = check;
  await insertEntry(trx, id, { by: byId, action: 'opened', body: { number, ...body } });
  return id;
}

type NewEntry = { by: string | null } & (
  | { action: 'opened'; body: object }
  | { action: 'decided'; body: StoredDecision }
  | { action: 'concluded'; body: Conclusion }
);

export async function insertEntry(
  trx: Transaction,
  checkId: string,
  { by: byId, action, body }: NewEntry,
): Promise<void> {
  await trx
    .insertInto('conflict_entries')
    .values({ check_id: checkId, by_id: byId, action, body: JSON.stringify(body) })
    .execute();
}

/** Serializes decisions, so that no check is concluded twice. */
export async function lockChecks(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('matterdesk.conflicts'))`.execute(trx);
}
