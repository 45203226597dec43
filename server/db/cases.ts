// Details for anyone who sees the case, from the base tables: their own views would check the walls again for each row.
// `assigned`, `assignedPeople`, `someNewestFiles`, `newestFiles`, `fileCount` and `waitingSol` refer to the view
// `cases` of the statement around them.

import { sql, type RawBuilder } from 'kysely';
import { COUNTED_FILES_MAX, type Person, type WaitingDate } from '@matterdesk/contract/cases.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Scoped, Transaction } from './schema.ts';
import { everyWordIndexed, likePattern } from './search.ts';
import { personJson, personJsonb } from './statements.ts';

export type AssignedPerson = Person & { email: string };
export type FileLocation = { name: string; folder: string };

export const assigned = sql<AssignedPerson[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'firstName', u.first_name,
    'lastName', u.last_name, 'email', u.email) order by a.position)
  from base.case_assignments a join users u on u.id = a.user_id where a.case_id = cases.id), '[]')`;

/** The assigned people without their email addresses. */
export const assignedPeople = sql<Person[]>`coalesce((
  select json_agg(${personJson('u')}
    order by a.position)
  from base.case_assignments a join users u on u.id = a.user_id where a.case_id = cases.id), '[]')`;

/** The newest five files; null for none. */
export const someNewestFiles = sql<FileLocation[] | null>`(
  select json_agg(json_build_object('name', n.name, 'folder', n.folder) order by n.created_at desc, n.id desc)
  from (select f.id, f.created_at, f.name, d.name as folder
    from base.files f join base.folders d on d.id = f.folder_id
    where f.case_id = cases.id and f.deleted_at is null
    order by f.created_at desc, f.id desc limit 5) n)`;

/** The newest five files; an empty list for none. */
export const newestFiles = sql<FileLocation[]>`coalesce(${someNewestFiles}, '[]')`;

/** The number of files, counted up to `COUNTED_FILES_MAX`. */
export const fileCount = sql<number>`(
  select count(*)::int from (select from base.files f
    where f.case_id = cases.id and f.deleted_at is null limit ${sql.lit(COUNTED_FILES_MAX)}) counted)`;

/**
 * Comparison of the id of a visible case with those of a user's cases. As an array, it is read once: joined, with statistics
 * from before an import, it was read for each case.
 */
export function anyCaseOf(userId: string): RawBuilder<string> {
  return sql<string>`any(array(
    select a.case_id from base.case_assignments a where a.user_id = ${userId}))`;
}

/** Condition that the limitation of a case `a.case_id` is open and ahead. */
export const isLimitationAhead = sql<boolean>`exists (select from base.deadlines l
  where l.case_id = a.case_id and l.kind = 'limitation' and l.status = 'open'
    and l.due_at > statement_timestamp())`;

// The date of a case's statute of limitations while a change of it waits for another person.

/** The SOL in effect: the earlier date while a change waits. Written as in the indexes. */
export const solInEffect = sql<string>`coalesce(sol_in_effect, sol)`;
/** The SOL in effect to sort by, with cases without a date after all others. */
export const solOrder = sql<string>`coalesce(sol_in_effect, sol, 'infinity'::date)`;

const person = (column: string) => sql`(
  select ${personJsonb('u')}
  from users u where u.id = ${sql.raw(column)} and u.active)`;
const proposer = `coalesce((w.pending->>'by')::uuid, w.dated_by)`;

/** The change that waits, or null. */
export const waitingSol = sql<WaitingDate | null>`(case when cases.sol_in_effect is not null then (
  select jsonb_build_object('date', cases.sol_in_effect,
    'proposed', coalesce(w.pending->>'date', w.date::text), 'by', ${person(proposer)},
    'decides', coalesce(
      ${person(`nullif(w.second_id, ${proposer})`)}, ${person(`nullif(w.owner_id, ${proposer})`)}))
  from base.deadlines w where w.case_id = cases.id and w.kind = 'limitation') end)`;

// Removes matters for good, as the product itself never does but for an import that is undone.

/** Tables whose rows are removed with their matter; any other reference keeps it. */
const OWNED_TABLES = ['case_assignments', 'stream_counts', 'parties'];

/**
 * Removes visible matters with the people, the limitation and the counts that belong to them.
 * @throws a foreign key violation while anything else refers to one
 */
export async function removeCases(trx: Transaction, ids: readonly string[]): Promise<void> {
  const visible = sql`(select c.id from cases c where c.id = any(${[...ids]}::uuid[]))`;
  for (const table of OWNED_TABLES)
    await sql`delete from ${sql.id('base', table)} t where t.case_id in ${visible}`.execute(trx);
  await sql`
    delete from base.folders f where f.case_id in ${visible}
      and not exists (select from base.files x where x.folder_id = f.id)`.execute(trx);
  await sql`delete from base.cases c where c.id in ${visible}`.execute(trx);
}

// Searches of what belongs to cases.

/** A word of a search, and the cases in whose text it is; null where they are more than a few. */
export type CaseWord = { word: string; caseIds: string[] | null };

/** Cases that a statement compares with each of its rows. */
const FEW = 200;

/** The words of a search with the cases that have them, found once for all statements of a reading. */
export async function findCaseWords(db: Scoped, search: string): Promise<CaseWord[]> {
  const words = searchWords(search);
  if (words.length === 0) return [];
  const selects = words.map(
    (word, place) => sql`(
      select ${place}::int as place, c.id from cases c
      where ${everyWordIndexed(word, sql.ref('c.search_text'))} limit ${FEW + 1})`,
  );
  const { rows } = await sql<{ place: number; id: string }>`
    ${sql.join(selects, sql` union all `)}`.execute(db);
  const found = Map.groupBy(rows, ({ place }) => place);
  return words.map((word, place) => {
    const caseIds = (found.get(place) ?? []).map(({ id }) => id);
    return { word, caseIds: caseIds.length > FEW ? null : caseIds };
  });
}

/** That every word of a search is in a row, or in the text of its `case_id`. */
export function everyCaseWord(
  words: readonly CaseWord[],
  isInRow: (word: string) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  const all = words.map(({ word, caseIds }) => {
    // A word of many cases is looked up for each row, which costs less than a search of a list of thousands.
    const isInCase = caseIds
      ? sql`case_id = any(${caseIds}::uuid[])`
      : sql`exists (select from cases c where c.id = case_id and c.search_text like ${likePattern(word)})`;
    return sql`(${isInRow(word)} or ${isInCase})`;
  });
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(all, sql` and `)})`;
}
