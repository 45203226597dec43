import type { CaseSort } from '@matterdesk/contract/cases.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import { cutPage, readCursor, writeCursor } from '../../http/paging.ts';
import * as arranged from './store.arranged.ts';
import type { CaseFilter, CaseRow } from './store.ts';

const NO_ID = '00000000-0000-0000-0000-000000000000';
const SERIAL = /^\d{1,18}$/;
const KEYS = {
  newest: SERIAL,
  sol: /^\d{4}-\d\d-\d\d$/,
  caseName: /^[^]{0,400}$/,
  daysOpen: /^-?\d{1,15}(\.\d{1,9})?$/,
};

/** A list in another order than newest first, or of some cases only. */
export type ArrangedQuery = CaseFilter &
  Pick<arranged.ArrangedFilter, 'status' | 'type'> & {
    sort?: CaseSort | undefined;
    /** The id of a user, or `me`. */
    assigned?: string | undefined;
  };

export function isArranged({ sort, status, type, assigned }: ArrangedQuery): boolean {
  const hasFilter = status !== undefined || type !== undefined || assigned !== undefined;
  return hasFilter || (sort !== undefined && sort !== 'newest');
}

/** @throws Refusal invalidInput for a cursor of another order */
export async function listArranged(
  db: Scoped,
  actor: Actor,
  { sort = 'newest', ...query }: ArrangedQuery & { limit: number; cursor?: string | undefined },
) {
  const order = arranged.arrangementOf(sort);
  const filter = filterOf(actor, query);
  const after = query.cursor === undefined ? undefined : readKey(query.cursor, sort, order.by);
  const rows = await arranged.listArranged(db, filter, {
    ...order,
    limit: query.limit + 1,
    after,
  });
  return cutPage(rows, query.limit, (row) => [sort, row.sort_key, row.serial]);
}

export function countArranged(db: Scoped, actor: Actor, query: ArrangedQuery): Promise<number> {
  return arranged.countArranged(db, filterOf(actor, query));
}

/** The whole list in batches. */
export async function* streamArranged(
  db: Scoped,
  actor: Actor,
  query: ArrangedQuery & { limit: number },
): AsyncGenerator<CaseRow[]> {
  let cursor: string | undefined;
  do {
    const { page, nextCursor } = await listArranged(db, actor, { ...query, cursor });
    if (page.length > 0) yield page;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function filterOf(actor: Actor, { statusType, search, status, type, assigned }: ArrangedQuery) {
  const user = assigned === 'me' ? actor.id : assigned;
  const known = user === undefined || isId(user) ? user : NO_ID;
  return { statusType, search, status, type, assigned: known };
}

function readKey(cursor: string, sort: CaseSort, by: keyof typeof KEYS): string[] {
  const [of, ...key] = readCursor(cursor, [/^-?\w+$/, KEYS[by], SERIAL]);
  const isDay = by !== 'sol' || !Number.isNaN(Date.parse(key[0] ?? ''));
  if (of !== sort || !isDay || cursor !== writeCursor([sort, ...key]))
    throw invalidField('cursor', 'Invalid cursor');
  return key;
}
