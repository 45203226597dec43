import { sql } from 'kysely';
import type { Scoped } from '../db/schema.ts';

/** Traces that a refused call may leave: attempts, idempotency keys, last use of a session, texting rounds. */
const LEFT_BY_REFUSALS = [
  // The record of refusals, exports and what was read.
  'audit_log',
  'audit_seals',
  'attempts',
  'idempotency_keys',
  'sessions',
  'socket_io_attachments',
  'text_sync',
  // Written each minute.
  'heartbeat',
  'absences',
];

/** What is kept as a sum of rows, which come and go. */
const summed = sql`(
  select user_id, sum(files) as files, sum(trash) as trash from storage_use
  group by user_id having sum(files) <> 0 or sum(trash) <> 0)`;

/** Digests of all rows by table, including future tables. */
export async function watchContents(db: Scoped): Promise<() => Promise<Record<string, string>>> {
  const tables = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in (current_schema(), 'base') and table_type = 'BASE TABLE'
      and table_name not like 'kysely%'`.execute(db);
  const digests = tables.rows
    .filter(({ name }) => !LEFT_BY_REFUSALS.includes(name.replace(/^public\./, '')))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, count(*) || ' rows ' ||
          coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${isSummed(name) ? summed : sql.table(name)} t`,
    );
  const all = sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`;
  return async () => {
    const { rows } = await all.execute(db);
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  };
}

function isSummed(name: string): boolean {
  return name.endsWith('.storage_use');
}
