import { type RawBuilder, sql } from 'kysely';
import type { Case, CaseSort, StatusType } from '@matterdesk/contract/cases.ts';
import { anyCaseOf, solOrder } from '../../db/cases.ts';
import type { Scoped } from '../../db/schema.ts';
import { holdsWords } from '../../db/search.ts';
import { countUpToCap } from '../../db/statements.ts';
import { listColumns, type ListedRow } from './store.listed.ts';
import type { CaseFilter } from './store.ts';

/** Filters of a list; `assigned` is the id of a user. */
export type SortedFilter = CaseFilter & {
  status?: Case['status'] | undefined;
  type?: Case['type'] | undefined;
  assigned?: string | undefined;
  /** Only cases that are not filed yet and lack something. */
  isIncomplete?: boolean | undefined;
};

type SortKey = 'sol' | 'caseName' | 'daysOpen' | 'newest';
type Order = { by: SortKey; isDown: boolean };
/** `after` is the [key, serial] of the previous row. */
type Page = { limit: number; after: string[] | undefined };
type SortedRow = ListedRow & { sort_key: string };

/** Serials grow, so the newest case is the last by them. */
export function orderOf(sort: CaseSort): Order {
  const isTurned = sort.startsWith('-');
  const by = (isTurned ? sort.slice(1) : sort) as SortKey;
  return { by, isDown: isTurned !== (by === 'newest') };
}

/** A page in the wanted order, each with the key to go on from. */
export async function listSorted(
  db: Scoped,
  filter: SortedFilter,
  { by, isDown, limit, after }: Order & Page,
): Promise<SortedRow[]> {
  const { key, type } = keyOf(by, filter.statusType);
  const direction = isDown ? sql`desc` : sql`asc`;
  const beyond = sql<boolean>`(${key}, serial) ${isDown ? sql`<` : sql`>`}
    (${after?.[0]}::text::${type}, ${after?.[1]}::bigint)`;
  return matching(db, filter)
    .$if(after !== undefined, (query) => query.where(beyond))
    .select(listColumns)
    .select(sql<string>`(${key})::text`.as('sort_key'))
    .orderBy(sql`${key} ${direction}`)
    .orderBy(sql`serial ${direction}`)
    .limit(limit)
    .execute();
}

export function countSorted(db: Scoped, filter: SortedFilter): Promise<number> {
  return countUpToCap(db, matching(db, filter).select('id'));
}

function matching(db: Scoped, filter: SortedFilter) {
  const { statusType, search, status, type, assigned: user, isIncomplete = false } = filter;
  return (
    db
      .selectFrom('cases')
      // In the text, so that a plan for any value takes the indexes of one.
      .$if(statusType !== undefined, (query) =>
        query.where(sql<boolean>`status_type = ${sql.lit(statusType)}`),
      )
      .$if(search !== undefined, (query) =>
        query.where(holdsWords(search ?? '', sql.ref('search_text'))),
      )
      .$if(status !== undefined, (query) => query.where(sql<boolean>`status = ${status}`))
      .$if(type !== undefined, (query) => query.where(sql<boolean>`type = ${type}`))
      .$if(isIncomplete, (query) => query.where(sql<boolean>`incomplete <> '{}'`))
      .$if(user !== undefined, (query) => query.where('id', '=', anyCaseOf(user ?? '')))
  );
}

/** The sorted column as its index has it, with its type. */
function keyOf(by: SortKey, statusType: StatusType | undefined) {
  const keys: Record<SortKey, { key: RawBuilder<unknown>; type: RawBuilder<unknown> }> = {
    newest: { key: sql`serial`, type: sql`bigint` },
    sol: { key: solOrder, type: sql`date` },
    caseName: { key: sql`case_name collate "und-x-icu"`, type: sql`text` },
    daysOpen: { key: daysKey(statusType), type: sql`numeric` },
  };
  return keys[by];
}

function daysKey(statusType: StatusType | undefined) {
  const archived = sql`(days_open * 86400::numeric + extract(epoch from archived_at - days_open_since))`;
  const active = sql`(days_open * 86400::numeric - extract(epoch from days_open_since at time zone 'UTC'))`;
  if (statusType === 'Active') return active;
  if (statusType === 'Archive') return archived;
  // Together they compare as of the current day, which no index knows.
  return sql`(case when archived_at is null
    then ${active} + extract(epoch from current_date::timestamp) else ${archived} end)`;
}
