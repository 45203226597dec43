import { sql } from 'kysely';
import type { ImportedEventsTable } from '../../../db/schema-calendar.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { insertMany } from '../../../db/statements.ts';
import type { HeldEvent } from './rules.ts';

/** Existing occurrences of these events, without private time of others. */
export function findHeld(
  db: Scoped,
  { uids, reader }: { uids: string[]; reader: string },
): Promise<HeldEvent[]> {
  return db
    .selectFrom('imported_events as i')
    .innerJoin('events as e', 'e.id', 'i.event_id')
    .selectAll('i')
    .select(['e.case_id', 'e.organizer_id', 'e.people', 'e.is_private'])
    .select(['e.ends_at', 'e.last_day', 'e.time_zone', 'e.cancelled_at'])
    .where('i.uid', '=', sql<string>`any(${uids}::text[])`)
    .where(
      sql<boolean>`(not e.is_private or e.organizer_id = ${reader} or ${reader}::uuid = any(e.people))`,
    )
    .orderBy('i.slot')
    .execute();
}

/** Ids of those events that this calendar has. */
export async function findOwn(db: Scoped, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Makes two imports wait for each other, so that both do not add the same event. */
export async function lockImports(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('matterdesk.imports'))`.execute(trx);
}

export async function insertHeld(trx: Transaction, rows: ImportedEventsTable[]): Promise<void> {
  await insertMany(trx, 'imported_events', rows);
}

/** Inserts the occurrences of a new series, each named by its start. */
export async function insertHeldSeries(
  trx: Transaction,
  ids: string[],
  { uid, sequence, stamp, organizer }: Omit<ImportedEventsTable, 'event_id' | 'slot'>,
): Promise<void> {
  await sql`insert into imported_events (event_id, uid, slot, sequence, stamp, organizer)
    select id, ${uid}, coalesce(to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), first_day::text),
      ${sequence}, ${stamp}, ${organizer} from events where id = any(${ids}::uuid[])`.execute(trx);
}

/** Updates the known version of events. */
export async function updateHeld(
  trx: Transaction,
  ids: string[],
  { sequence, stamp }: Pick<ImportedEventsTable, 'sequence' | 'stamp'>,
): Promise<void> {
  await trx
    .updateTable('imported_events')
    .set({ sequence, stamp })
    .where('event_id', '=', sql<string>`any(${ids})`)
    .execute();
}
