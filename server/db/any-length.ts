import { type RawBuilder, sql } from 'kysely';

/**
 * A list that the planner takes for ten values, whatever its length. Where it knows that there are one or two, the
 * statement seems so cheap that PostgreSQL plans it anew each time instead of keeping a plan, and through the views
 * that check walls planning takes ten times as long as reading. For statements that go by an index for each value.
 */
export function anyLength(list: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${list})`;
}

/** The same, to compare an id with. */
export function amongIds(ids: readonly string[]): RawBuilder<string> {
  // The cast makes it a value: without it, `any` would read rows.
  return sql<string>`any(${anyLength(sql`${ids}::uuid[]`)}::uuid[])`;
}
