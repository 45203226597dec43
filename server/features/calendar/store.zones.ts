import { sql } from 'kysely';
import type { EventRow } from '../../db/schema-calendar.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';

/** The version of the time zone rules by which coming instants were derived. */
export async function findVersion(db: Executor): Promise<string | undefined> {
  return (await db.selectFrom('zone_rules').select('version').executeTakeFirst())?.version;
}

export async function keepVersion(trx: Transaction, version: string): Promise<void> {
  await sql`insert into zone_rules (version) values (${version})
    on conflict (is_single) do update set version = excluded.version`.execute(trx);
}

/** Timed events that have not ended, by id. */
export function listComing(
  db: Scoped,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('all_day', '=', false)
    .where('ends_at', '>', sql<Date>`statement_timestamp()`)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

type Instants = { id: string; starts_at: Date | null; ends_at: Date | null };

export async function moveInstants(trx: Transaction, rows: Instants[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`update events set starts_at = t.starts_at, ends_at = t.ends_at
    from json_to_recordset(${JSON.stringify(rows)}) as t (id uuid, starts_at timestamptz, ends_at timestamptz)
    where events.id = t.id`.execute(trx);
}
