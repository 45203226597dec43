// Names and the words that find them. A search sees every name: hidden hits say whom to ask.

import { sql } from 'kysely';
import type { Executor, Transaction } from './schema.ts';
import { anyLength, CompiledStatement, type Slots } from './statements.ts';

/** Most words of the dictionary for one lookup. */
const MAX_WORDS = 20_000;

export type NameSource =
  | 'parties'
  | 'contacts'
  | 'intakes'
  | 'people'
  | 'correspondents'
  | 'caseNames'
  | 'fileNames';

/** A name with where it stands; ids of what it belongs to, null where there is none. */
export type NameRow = {
  source: NameSource;
  source_id: string;
  case_id: string | null;
  intake_id: string | null;
  contact_id: string | null;
  owner_id: string | null;
  role: string;
  name: string;
  identifiers: string[];
};
export type FoundName = NameRow & { id: string };
/** `is_checked`: it was there before, and needs no alert. */
export type NewName = NameRow & { words: string[]; is_checked: boolean };
export type NewWord = { word: string; keys: readonly number[] };
type NameOrigin = { source: NameSource; source_id: string };

type NameArrays = { names: string[]; words: string[] };

// An array for each, since the planner takes it for ten rows, but any JSON for a hundred.
const given = (value: Slots<NameArrays>) => sql`given as (
  select given.* from unnest(${anyLength(sql`${value('names')}::json[]`)}) as each (name),
    json_to_record(each.name) as given (source text, source_id uuid, case_id uuid,
    intake_id uuid, contact_id uuid, owner_id uuid, role text, name text, identifiers text[], words text[],
    is_checked boolean))`;

const insertion = sql`
  insert into base.names (source, source_id, case_id, intake_id, contact_id, owner_id, role, name,
      identifiers, words, is_checked)
    select g.source, g.source_id, g.case_id, g.intake_id, g.contact_id, g.owner_id, g.role, g.name,
      g.identifiers, g.words, g.is_checked
    from given g`;

const newWords = (value: Slots<NameArrays>) => sql`
  insert into name_words (word, keys)
    select w.word, w.keys from unnest(${anyLength(sql`${value('words')}::json[]`)}) as each (word),
      json_to_record(each.word) as w (word text, keys int[])
    where not exists (select from name_words known where known.word = w.word)`;

const addition = new CompiledStatement(
  (_db, value: Slots<NameArrays>) =>
    sql`with ${given(value)}, added as (${insertion}) ${newWords(value)}`,
);

const saving = new CompiledStatement(
  (_db, value: Slots<NameArrays & { of: string[] }>) => sql`
    with ${given(value)},
    kept as (
      select n.id, g.source, g.source_id, g.role, g.name from given g join base.names n
        on n.source = g.source and n.source_id = g.source_id and n.role = g.role and n.name = g.name
        and n.identifiers = g.identifiers and n.words = g.words
        and n.case_id is not distinct from g.case_id and n.contact_id is not distinct from g.contact_id
        and n.intake_id is not distinct from g.intake_id),
    removed as (
      delete from base.names n
        using unnest(${anyLength(sql`${value('of')}::json[]`)}) as each (source),
          json_to_record(each.source) as o (source text, source_id uuid)
        where n.source = o.source and n.source_id = o.source_id and n.id not in (select id from kept)),
    added as (
      ${insertion} where not exists (select from kept k where k.source = g.source
        and k.source_id = g.source_id and k.role = g.role and k.name = g.name))
    ${newWords(value)}`,
);

const texts = (rows: object[]) => rows.map((row) => JSON.stringify(row));

/** Adds the names of sources that have none; sent with the transaction's next statement. */
export function insertNames(
  trx: Transaction,
  { names, words }: { names: NewName[]; words: NewWord[] },
): Promise<void> {
  return addition.later(trx, { names: texts(names), words: texts(words) });
}

/** Replaces the names of these sources; sent with the transaction's next statement. */
export function replaceNames(
  trx: Transaction,
  { of, names, words }: { of: NameOrigin[]; names: NewName[]; words: NewWord[] },
): Promise<void> {
  return saving.later(trx, { of: texts(of), names: texts(names), words: texts(words) });
}

// Key by key, since the planner takes many keys for most of the dictionary, and reads it all: 300 ms of 10,000 words.
const lookup = new CompiledStatement(
  (_db, value: Slots<{ keys: number[]; words: string[] }>) => sql<{ word: string; n: number }>`
    select word, max(n) as n from (
      select known.word, known.n from unnest(${value('keys')}::int[]) as asked (key)
        cross join lateral (
          select word, n from name_words where keys @> array[asked.key] limit ${sql.lit(MAX_WORDS)}) known
      union all select word, n from name_words where word = any(${value('words')}::text[])) found
    group by word limit ${sql.lit(MAX_WORDS)}`,
);

/** Words of the dictionary that share a key, or are these, with the number of rows that hold them. */
export function lookUpWords(
  db: Executor,
  asked: { keys: number[]; words: string[] },
): Promise<{ word: string; n: number }[]> {
  return lookup.rows(db, asked);
}

/** Terms that a name is searched by. */
export type NamePlan = { groups: string[][]; sufficient: string[]; identifiers: string[] };
type PlannedWords = {
  first: string[];
  second: string[];
  third: string[];
  fourth: string[];
  sufficient: string[];
};

function matchesPlan(value: Slots<PlannedWords>) {
  return sql`(
    (words && ${value('first')}::text[] and words && ${value('second')}::text[])
    or (words && ${value('first')}::text[] and words && ${value('third')}::text[])
    or (words && ${value('second')}::text[] and words && ${value('third')}::text[])
    or (words && ${value('first')}::text[] and words && ${value('fourth')}::text[])
    or (words && ${value('second')}::text[] and words && ${value('fourth')}::text[])
    or (words && ${value('third')}::text[] and words && ${value('fourth')}::text[])
    or words && ${value('sufficient')}::text[])`;
}

function wordsOf({ groups, sufficient }: NamePlan): PlannedWords {
  const [first = [], second = [], third = [], fourth = []] = groups;
  return { first, second, third, fourth, sufficient };
}

const spellings = new CompiledStatement(
  (_db, value: Slots<PlannedWords>) => sql<{ name: string }>`
    select distinct name from base.names where ${matchesPlan(value)}`,
);

/** All names with words of two groups or with a token of `sufficient`, each once, however many rows have it. */
export async function listMatchingNames(db: Executor, plan: NamePlan): Promise<string[]> {
  return (await spellings.rows(db, wordsOf(plan))).map(({ name }) => name);
}

type Rows = PlannedWords & { names: string[]; identifiers: string[]; most: number };

const columns = sql`id, source, source_id, case_id, intake_id, contact_id, owner_id, role, name, identifiers`;

// Each row is read once, with all its columns: thousands of matters share a counsel.
const places = new CompiledStatement(
  (_db, value: Slots<Rows>) => sql<FoundName>`
    with found as materialized (
      select ${columns}, false as is_identified from base.names
        where name = any(${value('names')}::text[]) and ${matchesPlan(value)}
      union all
      select ${columns}, true from base.names where identifiers && ${value('identifiers')}::text[]),
    ranked as (
      select f.*, row_number() over (
          partition by f.is_identified, case when f.is_identified then '' else f.name end, f.role, f.source,
            c.status_type, f.owner_id
          order by f.id desc) as place
        from found f left join base.cases c on c.id = f.case_id)
    select distinct on (id) ${columns} from ranked where place <= ${value('most')}::int order by id`,
);

/**
 * Rows with one of these names or identifiers. Among rows with the same role, source, owner and status of their case,
 * and with the same name unless an identifier matched, only the newest.
 * @param most rows of each such group
 */
export function listMatchingRows(
  db: Executor,
  plan: NamePlan,
  { names, most }: { names: string[]; most: number },
): Promise<FoundName[]> {
  return places.rows(db, { ...wordsOf(plan), identifiers: plan.identifiers, names, most });
}

export async function countNames(db: Executor): Promise<{ source: NameSource; count: number }[]> {
  const { rows } = await sql<{ source: NameSource; count: number }>`
    select source, count(*)::int as count from base.names group by source order by source`.execute(
    db,
  );
  return rows;
}

/**
 * Notes that all names are counted. Others wait until this transaction ends, since a count that began earlier would
 * overwrite theirs.
 * @returns the newest that was counted before, or undefined if none was added since
 */
export async function markCounted(trx: Transaction): Promise<string | undefined> {
  // Alone: a statement that waits for a lock still sees the names from before.
  await sql`select from name_counts for update`.execute(trx);
  const { rows } = await sql<{ before: string }>`
    with newest as (select coalesce(max(id), 0) as id from base.names),
    before as (select newest as id from name_counts)
    update name_counts set newest = newest.id from newest, before
      where name_counts.newest <> newest.id returning before.id::text as before`.execute(trx);
  return rows[0]?.before;
}

/** Adds the words of names that were added after one to the counts. */
export async function countNewWords(trx: Transaction, after: string): Promise<void> {
  await sql`
    with counted as (
      select word, count(*)::int as n from (select unnest(words) as word from base.names where id > ${after}) w
      group by word)
    update name_words k set n = k.n + c.n from counted c where c.word = k.word`.execute(trx);
}

/** Recounts the rows of each word, and removes duplicate words. */
export async function recountWords(trx: Transaction): Promise<void> {
  // Half a million names of a busy database take longer than a request may.
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`
    with counted as (
      select word, count(*)::int as n from (select unnest(words) as word from base.names) w
      group by word),
    best as (select min(ctid) as place, word from name_words group by word),
    stale as (
      delete from name_words k where not exists (select from best b where b.place = k.ctid))
    update name_words k set n = c.n from counted c
      where c.word = k.word and k.n <> c.n
        and exists (select from best b where b.place = k.ctid)`.execute(trx);
}

/** Removes words that no name holds any more. @returns how many */
export async function forgetWords(trx: Transaction): Promise<number> {
  const { rows } = await sql<{ word: string }>`
    select k.word from name_words k left join (
      select distinct unnest(words) as word from base.names) held on held.word = k.word
    where held.word is null`.execute(trx);
  if (rows.length === 0) return 0;
  // A name that is being saved relies on the words that it found.
  await sql`lock table name_words in share row exclusive mode`.execute(trx);
  const { rows: forgotten } = await sql`
    delete from name_words k where word = any(${rows.map(({ word }) => word)}::text[])
      and not exists (select from base.names n where n.words @> array[k.word]) returning word`.execute(
    trx,
  );
  return forgotten.length;
}

/** Whether a source's row has no names yet. @param id the column of its id */
export function isUnnamed(source: NameSource, id: string) {
  return sql<boolean>`not exists (select from base.names n
    where n.source = ${source} and n.source_id = ${sql.ref(id)})`;
}

/** Whether an owner's correspondent is not among the names yet. */
export function isNewCorrespondent(owner: string, address: string) {
  return sql<boolean>`not exists (select from base.names n where n.source = 'correspondents'
    and n.owner_id = ${sql.ref(owner)} and n.name = ${sql.ref(address)})`;
}

/** `is_held`: it came with an import from another system. */
export type UncheckedName = FoundName & { is_held: boolean };

/**
 * Names that were not compared with the others yet; newest first, so that one that is entered now need not wait for an
 * import. Those of imports from other systems come when there are no others, and no such import runs.
 */
export async function listUnchecked(db: Executor, limit: number): Promise<UncheckedName[]> {
  const { rows } = await sql<UncheckedName>`
    select ${columns}, is_held from base.names where not is_checked and not is_held
    order by id desc limit ${limit}`.execute(db);
  if (rows.length > 0) return rows;
  const imported = await sql<UncheckedName>`
    select ${columns}, is_held from base.names where not is_checked and is_held
      and not exists (select from imports where state = 'running')
    order by id desc limit ${limit}`.execute(db);
  return imported.rows;
}

/** Names that wait to be compared. */
export async function countUnchecked(db: Executor): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select count(*)::int as counted from base.names where not is_checked`.execute(db);
  return rows[0]?.counted ?? 0;
}

export async function markChecked(trx: Transaction, ids: string[]): Promise<void> {
  await sql`update base.names set is_checked = true, is_held = false where id = any(${ids}::bigint[])`.execute(
    trx,
  );
}
