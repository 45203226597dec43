import { type RawBuilder, sql } from 'kysely';
import { type StatusType, statusTypes } from '@matterdesk/contract/cases.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { Scoped } from '../../db/schema.ts';
import { beginsWith, beginsWords, everyWord, everyWordIndexed, fold } from '../../db/search.ts';
import { CompiledStatement, type Slots } from '../../db/statements.ts';
import { MAX_COUNTED } from './rules.search.ts';
import { listColumns, type ListedRow } from './store.listed.ts';
import {
  type CaseFilter,
  type CasePage,
  countColumns,
  type Counts,
  inText,
  ofStatus,
} from './store.ts';

/** Unlike a pattern, the same plan for each term, so that its statements are prepared. */
const holdsWord = (folded: RawBuilder<string> | string) =>
  sql<boolean>`strpos(search_text, ${folded}) > 0`;
const holds = (search: string) => everyWord(search, (word) => holdsWord(fold(word)));

export type Search = CaseFilter & { search: string };

/** A page among the `budget` newest cases below the serial `after`. */
export type Window = CasePage & { budget: number };

/** A count of matches, up to `MAX_COUNTED`, with the stored counts of all cases at that time. */
export type CountedMatches = Counts & { matches: number };

/** A match, the number of cases scanned until it, and the stored counts. */
export type ScannedRow = ListedRow & Counts & { place: number };

/** The shape of a scan’s statement. */
type ScanShape = {
  words: number;
  budget: number;
  isOfStatus: boolean;
  isLater: boolean;
};
type ScanValues = { statusType: StatusType; after: string; limit: number } & {
  [word: `word${number}`]: string;
};

function scanOf({ words, budget, isOfStatus, isLater }: ScanShape) {
  return new CompiledStatement((db, value: Slots<ScanValues>) => {
    const newest = db
      .selectFrom('cases')
      .$if(isOfStatus, (query) => query.where('status_type', '=', value('statusType')))
      .$if(isLater, (query) => query.where('serial', '<', value('after')))
      .selectAll()
      .select(sql<number>`(row_number() over (order by serial desc))::int`.as('place'))
      .orderBy('serial', 'desc')
      .limit(inText(budget))
      .as('cases');
    const statusType = isOfStatus ? value('statusType') : undefined;
    return db
      .selectFrom(newest)
      .where((eb) => eb.and(Array.from({ length: words }, (_, n) => holdsWord(value(`word${n}`)))))
      .select('place')
      .select(listColumns)
      .select(countColumns(statusType))
      .orderBy('serial', 'desc')
      .limit(value('limit'));
  });
}

/** The scans of most searches: a first or later page of some words. */
const scans = new Map<string, ReturnType<typeof scanOf>>();
const MAX_SCANS = 100;

/** Newest first, the matches among the `budget` newest cases below the serial `after`. */
export function scanNewest(
  db: Scoped,
  { search, statusType }: Search,
  { limit, after, budget }: Window,
): Promise<ScannedRow[]> {
  const words = searchWords(search).map(fold);
  const isOfStatus = statusType !== undefined;
  const shape = { words: words.length, budget, isOfStatus, isLater: after !== undefined };
  const key = JSON.stringify(shape);
  const scan = scans.get(key) ?? scanOf(shape);
  if (scans.size < MAX_SCANS) scans.set(key, scan);
  const named = Object.fromEntries(words.map((word, n) => [`word${n}`, word] as const));
  const values = { statusType: statusType ?? 'Active', after: after ?? '', limit };
  return scan.rows(db, { ...values, ...named });
}

/** True if there are cases beyond the `budget` newest below the serial `after`. */
export async function hasMore(
  db: Scoped,
  filter: CaseFilter,
  { after, budget }: Window,
): Promise<boolean> {
  const more = await ofStatus(db, filter)
    .$if(after !== undefined, (query) => query.where('serial', '<', after ?? ''))
    .select('serial')
    .orderBy('serial', 'desc')
    .offset(inText(budget))
    .limit(1)
    .executeTakeFirst();
  return more !== undefined;
}

/** Counts the matches by the index, and finds the ids of a page among them if all were counted. */
export async function findHits(
  db: Scoped,
  { search, ...filter }: Search,
  page: CasePage,
): Promise<CountedMatches & { ids: string[] }> {
  const found = await db
    .with(
      (cte) => cte('hits').materialized(),
      () => indexed(db, search, filter).select(['id', 'serial']).limit(MAX_COUNTED),
    )
    .selectNoFrom((eb) => [
      eb.selectFrom('hits').select(eb.fn.countAll<string>().as('n')).as('matches'),
      ...countColumns(filter.statusType),
      pageOfHits(page).as('ids'),
    ])
    .executeTakeFirstOrThrow();
  return { ...found, matches: Number(found.matches) };
}

/** The same for a user who sees few of all cases: those with walls of their own, and those that are open to all. */
export async function findAmongFew(
  db: Scoped,
  { search, ...filter }: Search,
  page: CasePage,
): Promise<{ matches: number; ids: string[] }> {
  return db
    .with(
      (cte) => cte('hits').materialized(),
      () =>
        ofStatus(db, filter)
          .where(
            'id',
            'in',
            sql<string>`(select case_id from own_sight
              union all select id from cases where access = 'open')`,
          )
          .where(holds(search))
          .select(['id', 'serial']),
    )
    .selectNoFrom([
      sql<number>`(select count(*)::int from hits)`.as('matches'),
      pageOfHits(page).as('ids'),
    ])
    .executeTakeFirstOrThrow();
}

function pageOfHits({ limit, after }: CasePage): RawBuilder<string[]> {
  const isEarlier = after === undefined ? sql`true` : sql`serial < ${after}`;
  return sql`array(select id from hits where ${isEarlier} order by serial desc limit ${limit})`;
}

/** The ids of a page by the index, which reads every match. */
export async function findPage(
  db: Scoped,
  { search, ...filter }: Search,
  { limit, after }: CasePage,
): Promise<string[]> {
  const found = await db
    .with(
      (cte) => cte('hits').materialized(),
      () =>
        indexed(db, search, filter)
          .$if(after !== undefined, (query) => query.where('serial', '<', after ?? ''))
          .select(['id', 'serial']),
    )
    .selectFrom('hits')
    .select('id')
    .orderBy('serial', 'desc')
    .limit(limit)
    .execute();
  return found.map((row) => row.id);
}

/** A case's name as the searched text opens with it, and its number. */
const nameKey = sql<string>`(split_part(search_text, E'\\n', 1) collate "C")`;
const numberKey = sql<string>`(case_no_key collate "C")`;

/**
 * Ids of cases that begin with the text by name or number, in that order, and of the newest whose name has words that
 * begin with its words: up to `limit` of each kind and status.
 */
export async function findNamed(
  db: Scoped,
  { search, statusType }: Search,
  limit: number,
): Promise<string[]> {
  const text = fold(search.replaceAll('"', '').trim());
  const words = beginsWords(search, sql<string>`split_part(search_text, E'\\n', 1)`);
  // A walk in the order of the key reads no more than it returns, however many cases begin so.
  const kinds = [nameKey, numberKey].map((key) => ({
    condition: beginsWith(key, text),
    order: sql`${key} asc`,
  }));
  if (words) kinds.push({ condition: words, order: sql`serial desc` });
  const found = (statusType ? [statusType] : statusTypes).flatMap((status) =>
    kinds.map(
      ({ condition, order }) => sql`(select id from cases
        where status_type = ${sql.lit(status)} and ${condition}
        order by ${order} limit ${sql.lit(limit)})`,
    ),
  );
  const { rows } = await sql<{ id: string }>`${sql.join(found, sql` union `)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Counts the matches among the `budget` newest cases. */
export function countAmong(
  db: Scoped,
  { search, ...filter }: Search,
  budget: number,
): Promise<CountedMatches> {
  const scanned = ofStatus(db, filter)
    .select('search_text')
    .orderBy('serial', 'desc')
    .limit(inText(budget))
    .as('scanned');
  return db
    .selectFrom(
      db
        .selectFrom(scanned)
        .where(holds(search))
        .select('search_text')
        .limit(MAX_COUNTED)
        .as('found'),
    )
    .select(sql<number>`count(*)::int`.as('matches'))
    .select(countColumns(filter.statusType))
    .executeTakeFirstOrThrow();
}

function indexed(db: Scoped, search: string, filter: CaseFilter) {
  return ofStatus(db, filter).where(everyWordIndexed(search, sql.ref('search_text')));
}
