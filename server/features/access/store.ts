import { sql } from 'kysely';
import type { AccessMode, WalledKind, WalledMatter } from '@matterdesk/contract/access.ts';
import { refreshIntakeWall, workOutSight } from '../../db/audiences.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';

export type Matter = { kind: WalledKind; id: string };
export type Named = { user_id: string; first_name: string; last_name: string; active: boolean };
export type WalledRow = { id: string; access: AccessMode; access_updated_at: Date };

const tables = { cases: sql.table('cases'), intakes: sql.table('intakes') };

export function findMatter(db: Scoped, matter: Matter): Promise<WalledRow | undefined> {
  return readMatter(db, matter, sql``);
}

/** Locked, so that changes of access follow each other. */
export function lockMatter(trx: Transaction, matter: Matter): Promise<WalledRow | undefined> {
  return readMatter(trx, matter, sql`for update`);
}

async function readMatter(db: Executor, { kind, id }: Matter, lock: ReturnType<typeof sql>) {
  const { rows } = await sql<WalledRow>`
    select id, access, access_updated_at from ${tables[kind]} where id = ${id} ${lock}`.execute(db);
  return rows[0];
}

/** Assigned people of a case, in their order. */
export function listAssigned(db: Scoped, caseId: string): Promise<Named[]> {
  return db
    .selectFrom('case_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.user_id', 'u.first_name', 'u.last_name', 'u.active'])
    .where('a.case_id', '=', caseId)
    .orderBy('a.position')
    .execute();
}

/** The owner of an intake, who is to it what an assigned user is to a case. */
export function listOwner(db: Scoped, intakeId: string): Promise<Named[]> {
  return db
    .selectFrom('intakes as i')
    .innerJoin('users as u', 'u.id', 'i.owner_id')
    .select(['u.id as user_id', 'u.first_name', 'u.last_name', 'u.active'])
    .where('i.id', '=', intakeId)
    .execute();
}

/** Who sees an intake while it is open: who entered it, and those who handle intakes. */
export async function listReaders(db: Scoped, intakeId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join intakes i on i.id = ${intakeId}
    where u.id = i.entered_by or u.role = 'admin' or (u.permissions->>'handleIntakes')::boolean`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Notes that access changed: the next change has to have seen it; `access_updated_at` grows strictly. */
export async function touchMatter(trx: Transaction, { kind, id }: Matter): Promise<void> {
  await sql`
    update ${tables[kind]} set
      access_updated_at = greatest(clock_timestamp(), access_updated_at + interval '1 millisecond')
    where id = ${id}`.execute(trx);
  await workOut(trx, { kind, id });
}

/** Sets the mode and works out who sees what; `access_updated_at` grows strictly. */
export async function updateMatter(
  trx: Transaction,
  { kind, id }: Matter,
  { access, isWalled }: { access: AccessMode; isWalled: boolean },
): Promise<void> {
  await sql`
    update ${tables[kind]} set access = ${access}, is_walled = ${isWalled},
      access_updated_at = greatest(clock_timestamp(), access_updated_at + interval '1 millisecond')
    where id = ${id}`.execute(trx);
  await workOut(trx, { kind, id });
}

/** Derives what reads look at from those whom the access names. */
export function workOut(trx: Transaction, { kind, id }: Matter): Promise<void> {
  return kind === 'cases' ? workOutSight(trx, id) : refreshIntakeWall(trx, id);
}

/** A walled matter's place in the list: cases first, newest first. */
export type Place = { rank: number; serial: string };
export type ListedRow = Place & WalledMatter;

/** Walled matters without those from which the reader is screened. */
export async function listWalled(
  db: Scoped,
  userId: string,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<ListedRow[]> {
  const [rank, serial] = after ? [after.rank, after.serial] : [null, null];
  const from = (own: number) => sql`
    (${rank}::int is null or ${rank}::int < ${sql.lit(own)}
      or ${rank}::int = ${sql.lit(own)} and serial < ${serial}::bigint)
    order by serial desc limit ${limit}`;
  const { rows } = await sql<ListedRow>`
    select * from (
      (select * from (${walledCases(userId)}) c where ${from(0)})
      union all (select * from (${walledIntakes(userId)}) i where ${from(1)})
    ) walled order by rank, serial desc limit ${limit}`.execute(db);
  return rows;
}

/** Counts up to `cap`. */
export async function countWalled(db: Scoped, userId: string, cap: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select count(*)::int counted from (
      ${walledCases(userId)} union all ${walledIntakes(userId)} limit ${cap}) walled`.execute(db);
  return rows[0]?.counted ?? 0;
}

function walledCases(userId: string) {
  return sql`
    select 0 as rank, c.serial, 'cases' as kind, c.id, c.case_no as number, c.case_name as name, c.access as mode
    from cases c where c.is_walled and not exists (
      select from case_access a where a.case_id = c.id and a.user_id = ${userId} and a.kind = 'screened')`;
}

/** Those to which people were only added are open still. */
function walledIntakes(userId: string) {
  return sql`
    select 1 as rank, i.number as serial, 'intakes' as kind, i.id, i.number::text, i.name, i.access as mode
    from intakes i where i.is_walled
      and (i.access = 'restricted' or exists (
        select from intake_access a where a.intake_id = i.id and a.kind = 'screened'))
      and not exists (
        select from intake_access a where a.intake_id = i.id and a.user_id = ${userId} and a.kind = 'screened')`;
}

export function findPerson(db: Scoped, id: string) {
  return db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Ids of active people who manage walls. */
export async function listKeepers(db: Scoped): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where active and (role = 'admin' or (permissions->>'manageWalls')::boolean)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ids of all active people. */
export async function listActivePeople(db: Scoped): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('active', '=', true).execute();
  return rows.map(({ id }) => id);
}
