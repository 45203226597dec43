import { sql } from 'kysely';
import type { Seal, SealedEntry } from './rules.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';

const columns = sql`id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  request_id, actor_id::text, address, agent, entity, entity_id, case_id::text, action,
  before::text, after::text`;

/** One process at a time. */
export async function lockSeals(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('matterdesk audit_seals'))`.execute(trx);
}

export function findLastSeal(db: Executor): Promise<Seal | undefined> {
  return db.selectFrom('audit_seals').selectAll().orderBy('id', 'desc').executeTakeFirst();
}

/** Entries without a seal. No transaction lasts an hour, so that older gaps stay empty. */
export async function listUnsealed(db: Executor, limit: number): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    with recent as (
      select coalesce(range_agg(part), '{}') as ids
      from audit_seals, unnest(entries) as part where at > clock_timestamp() - interval '1 hour'
    ), settled as (
      select coalesce(max(upper(entries)), 0) as id
      from audit_seals where at <= clock_timestamp() - interval '1 hour'
    )
    select ${columns} from audit_log
    where audit_log.id >= (select id from settled) and not audit_log.id <@ (select ids from recent)
    order by audit_log.id limit ${limit}`.execute(db);
  return rows;
}

export async function insertSeal(
  trx: Transaction,
  { at, entries, digests, previous, hash }: Omit<Seal, 'id'>,
): Promise<void> {
  await sql`
    insert into audit_seals (at, entries, digests, previous, hash)
    values (${at}, ${entries}::int8multirange, ${digests}, ${previous}, ${hash})`.execute(trx);
}

/** The next seals in their order. */
export function listSeals(db: Executor, after: string, limit: number): Promise<Seal[]> {
  return db
    .selectFrom('audit_seals')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** What is left of the entries below a seal, in their order. */
export async function listSealedBy(db: Executor, { entries }: Seal): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    select ${columns} from audit_log
    where audit_log.id between lower(${entries}::int8multirange) and upper(${entries}::int8multirange) - 1
      and audit_log.id <@ ${entries}::int8multirange
    order by audit_log.id`.execute(db);
  return rows;
}

export async function findSealOf(db: Executor, entryId: string): Promise<Seal | undefined> {
  return db
    .selectFrom('audit_seals')
    .selectAll()
    .where(sql<boolean>`entries @> ${entryId}::int8`)
    .executeTakeFirst();
}

/** The first entry below the settled ones that has no seal: it was not added by the product. */
export async function findIntruder(db: Executor): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with settled as (
      select upper(entries) as id from audit_seals
      where at <= (select max(at) from audit_seals) - interval '1 hour' order by audit_seals.id desc limit 1
    )
    select audit_log.id from audit_log
    where audit_log.id < (select id from settled)
      and not audit_log.id <@ (select range_agg(part) from audit_seals, unnest(entries) as part)
    order by audit_log.id limit 1`.execute(db);
  return rows[0]?.id;
}

export async function findFirstEntry(db: Executor) {
  return db.selectFrom('audit_log').select(['id', 'at']).orderBy('id').executeTakeFirst();
}

/** The time of the last seal, else of the first entry. */
export async function findSealedUpTo(db: Executor): Promise<Date> {
  const last = await findLastSeal(db);
  return last?.at ?? (await findFirstEntry(db))?.at ?? new Date();
}

export async function hasEntry(db: Executor, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}
