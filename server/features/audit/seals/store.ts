import { sql, type Insertable } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import type { AuditChecksTable } from '../../../db/schema-audit.ts';
import type { Seal, SealedEntry } from './rules.ts';

const columns = sql`id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  request_id, actor_id::text, address, agent, entity, entity_id, case_id::text, action,
  before::text, after::text`;

/** One process at a time. */
export async function lockSeals(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('matterdesk audit_seals'))`.execute(trx);
}

export function findLastSeal(db: Executor): Promise<Seal | undefined> {
  return db.selectFrom('audit_seals').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Entries after an id without a seal. No transaction lasts an hour, so that older gaps stay empty. */
export async function listUnsealed(
  db: Executor,
  { after, limit }: { after: string; limit: number },
): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    with recent as (
      select coalesce(range_agg(part), '{}') as ids
      from audit_seals, unnest(entries) as part where at > clock_timestamp() - interval '1 hour'
    ), settled as (
      -- An entry comes late by an hour at most, so the last of them cover the highest id.
      select coalesce(max(upper(entries)), 0) as id from (
        select entries from audit_seals where at <= clock_timestamp() - interval '1 hour'
        order by at desc limit 1000) as newest
    ), next as (
      -- After a long first run nothing is left between them.
      select coalesce(max(upper(part)), (select id from settled)) as id
      from recent, unnest(ids) as part
      where lower(part) <= greatest((select id from settled), (select min(id) from audit_log))
    )
    select ${columns} from audit_log
    where audit_log.id >= (select id from next) and audit_log.id > ${after}
      and not audit_log.id <@ (select ids from recent)
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

/** The next hundred seals in their order, or fewer once these have a thousand entries. */
export async function listSeals(db: Executor, after: string): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select id, at, entries, digests, previous, hash from (
      select *, sum(length(digests)) over (order by id) - length(digests) as before
      from (select * from audit_seals where id > ${after} order by id limit 100) as next
    ) as counted
    where before < 32000 order by id`.execute(db);
  return rows;
}

/** What is left of these entries. */
export async function listEntries(db: Executor, ids: string[]): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    select ${columns} from audit_log where audit_log.id = any(${ids}::int8[])`.execute(db);
  return rows;
}

export async function findSealOf(db: Executor, entryId: string): Promise<Seal | undefined> {
  return db
    .selectFrom('audit_seals')
    .selectAll()
    .where(sql<boolean>`entries @> ${entryId}::int8`)
    .executeTakeFirst();
}

/**
 * The first entry among those of consecutive seals that has no seal: it was not added by the product. Of the last hour
 * an entry may still get one.
 * @param upTo ids below it were compared with the seals before
 */
export async function findIntruder(
  db: Executor,
  { first, last, upTo }: { first: Seal; last: Seal; upTo: string },
): Promise<{ intruder: string | undefined; upTo: string }> {
  const { rows } = await sql<{ intruder: string | null; upTo: string }>`
    with stretch as (
      select at, upper(entries) as up_to,
        at <= (select max(at) from audit_seals) - interval '1 hour' as is_settled
      from audit_seals where audit_seals.id between ${first.id} and ${last.id}
    ), settled as (
      select max(up_to) as up_to, max(at) as at from stretch where is_settled
    ), sealed as (
      select range_agg(part) as ids from audit_seals, unnest(entries) as part
      where audit_seals.id >= ${first.id} and at <= (select at from settled) + interval '1 hour'
    )
    select (select greatest(max(up_to), ${upTo}::int8) from stretch) as "upTo", (
      select audit_log.id from audit_log
      where audit_log.id >= ${upTo}::int8 and audit_log.id < (select up_to from settled)
        and not audit_log.id <@ (select ids from sealed)
      order by audit_log.id limit 1) as intruder`.execute(db);
  const { intruder = null, upTo: next = upTo } = rows[0] ?? {};
  return { intruder: intruder ?? undefined, upTo: next };
}

/** How far the check has come, unless that seal is no longer part of the chain. */
export function findCheck(db: Executor) {
  return db
    .selectFrom('audit_checks as c')
    .leftJoin('audit_seals as s', (join) =>
      join.onRef('s.id', '=', 'c.seal_id').onRef('s.hash', '=', 'c.hash'),
    )
    .select(['c.seal_id', 'c.hash', 'c.up_to', 'c.broken', 's.id as found'])
    .executeTakeFirst();
}

export async function saveCheck(db: Executor, check: Insertable<AuditChecksTable>): Promise<void> {
  await db
    .insertInto('audit_checks')
    .values(check)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(check))
    .execute();
}

export async function findFirstEntry(db: Executor) {
  return db.selectFrom('audit_log').select(['id', 'at']).orderBy('id').limit(1).executeTakeFirst();
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
