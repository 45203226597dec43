import { type Insertable, sql } from 'kysely';
import type { AuditChecksTable } from '../../../db/schema-audit.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { type SealedName, sealedTable } from '../../../db/sealed-tables.ts';
import type { Seal, SealedEntry } from './rules.ts';

/** A table's entries, as `e`. */
function entriesIn(source: SealedName) {
  const { table, id, sealedText, isBlank = sql<boolean>`false` } = sealedTable(source);
  return {
    from: sql`${sql.table(table)} e`,
    id: sql.ref(`e.${id}`),
    columns: sql`${sql.ref(`e.${id}`)}::text as id, ${sealedText} as says, ${isBlank} as "isBlank"`,
  };
}

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
  { source, after, limit }: { source: SealedName; after: string; limit: number },
): Promise<SealedEntry[]> {
  const { from, id, columns } = entriesIn(source);
  const { rows } = await sql<SealedEntry>`
    with recent as (
      select coalesce(range_agg(part), '{}') as ids from audit_seals, unnest(entries) as part
      where source = ${source} and at > statement_timestamp() - interval '1 hour'
    ), settled as (
      -- An entry comes late by an hour at most, so the last of them cover the highest id.
      select coalesce(max(upper(entries)), 0) as id from (
        select entries from audit_seals
        where source = ${source} and at <= statement_timestamp() - interval '1 hour'
        order by at desc limit 1000) as newest
    ), first as (
      -- The first entries may have been erased.
      select least((select min(${id}) from ${from}), (
        select lower(entries) from audit_seals where source = ${source} order by at limit 1)) as id
    ), next as (
      -- After a long first run nothing is left between them.
      select coalesce(max(upper(part)), (select id from settled)) as id
      from recent, unnest(ids) as part
      where lower(part) <= greatest((select id from settled), (select id from first))
    )
    select ${columns} from ${from}
    where ${id} >= (select id from next) and ${id} > ${after}
      and not ${id}::int8 <@ (select ids from recent)
    order by ${id} limit ${limit}`.execute(db);
  return rows;
}

export async function insertSeal(
  trx: Transaction,
  { at, source, entries, digests, previous, hash }: Omit<Seal, 'id'>,
): Promise<void> {
  await sql`
    insert into audit_seals (at, source, entries, digests, previous, hash)
    values (${at}, ${source}, ${entries}::int8multirange, ${digests}, ${previous}, ${hash})`.execute(
    trx,
  );
}

/** The next hundred seals in their order, or fewer once these have a thousand entries. */
export async function listSeals(db: Executor, after: string): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select id, at, source, entries, digests, previous, hash from (
      select *, sum(length(digests)) over (order by id) - length(digests) as before
      from (select * from audit_seals where id > ${after} order by id limit 100) as next
    ) as counted
    where before < 32000 order by id`.execute(db);
  return rows;
}

/** The remaining ones of these entries. */
export async function listEntries(
  db: Executor,
  source: SealedName,
  ids: string[],
): Promise<SealedEntry[]> {
  const { from, id, columns } = entriesIn(source);
  const { rows } = await sql<SealedEntry>`
    select ${columns} from ${from} where ${id} = any(${ids}::int8[])`.execute(db);
  return rows;
}

/** Ids of those among these entries that were erased with their intake, on record. */
export async function listErased(
  db: Executor,
  source: SealedName,
  ids: string[],
): Promise<Set<string>> {
  const { erasedIn } = sealedTable(source);
  if (erasedIn === undefined || ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select asked.id::text from unnest(${ids}::int8[]) as asked (id)
    where exists (
      select from base.intake_erasures r where r.${sql.ref(erasedIn)} @> asked.id
        and not exists (select from base.intakes i where i.id = r.intake_id and i.erased_at is null))`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The seal of an entry of the audit log. */
export async function findSealOf(db: Executor, entryId: string): Promise<Seal | undefined> {
  return db
    .selectFrom('audit_seals')
    .selectAll()
    .where('source', '=', 'audit_log')
    .where(sql<boolean>`entries @> ${entryId}::int8`)
    .executeTakeFirst();
}

/**
 * The first entry among those of consecutive seals over one table that has no seal: it was not added by the product. Of
 * the last hour an entry may still get one.
 * @param upTo ids below it were compared with the seals before
 */
export async function findIntruder(
  db: Executor,
  source: SealedName,
  { first, last, upTo }: { first: Seal; last: Seal; upTo: string },
): Promise<{ intruder: string | undefined; upTo: string }> {
  const { from, id } = entriesIn(source);
  const { rows } = await sql<{ intruder: string | null; upTo: string }>`
    with stretch as (
      select at, upper(entries) as up_to,
        at <= (select max(at) from audit_seals where source = ${source}) - interval '1 hour' as is_settled
      from audit_seals where source = ${source} and audit_seals.id between ${first.id} and ${last.id}
    ), settled as (
      select max(up_to) as up_to, max(at) as at from stretch where is_settled
    ), sealed as (
      select range_agg(part) as ids from audit_seals, unnest(entries) as part
      where source = ${source} and audit_seals.id >= ${first.id}
        and at <= (select at from settled) + interval '1 hour'
    )
    select (select greatest(max(up_to), ${upTo}::int8) from stretch) as "upTo", (
      select ${id}::text from ${from}
      where ${id} >= ${upTo}::int8 and ${id} < (select up_to from settled)
        and not ${id}::int8 <@ (select ids from sealed)
      order by ${id} limit 1) as intruder`.execute(db);
  const { intruder = null, upTo: next = upTo } = rows[0] ?? {};
  return { intruder: intruder ?? undefined, upTo: next };
}

/** Progress of the check, unless its seal is no longer part of the chain. */
export function findCheck(db: Executor) {
  return db
    .selectFrom('audit_checks as c')
    .leftJoin('audit_seals as s', (join) =>
      join.onRef('s.id', '=', 'c.seal_id').onRef('s.hash', '=', 'c.hash'),
    )
    .select(['c.seal_id', 'c.hash', 'c.up_to', 'c.broken', 'c.broken_in', 's.id as found'])
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
