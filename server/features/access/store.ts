import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type {
  AccessEntrySchema,
  AccessMode,
  WalledKind,
  WalledMatter,
} from '@matterdesk/contract/access.ts';
import { NOT_FILED, type Person } from '@matterdesk/contract/cases.ts';
import { refreshIntakeWall, refreshCaseSight } from '../../db/audiences.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { countUpToCap, personJsonb } from '../../db/statements.ts';

export type Matter = { kind: WalledKind; id: string };
export type NamedUser = { user_id: string; first_name: string; last_name: string; active: boolean };
export type WalledRow = { id: string; access: AccessMode; access_updated_at: Date };

const tables = { cases: sql.table('cases'), intakes: sql.table('intakes') };

/** A walled matter's place in the list: cases first, newest first. */
type Place = { rank: number; serial: string };
type ListedRow = Place & WalledMatter;

/** Tables of the people whom a matter's access names beside the assigned, and of its history. */
const accessTables = {
  cases: {
    named: sql.table('case_access'),
    history: sql.table('access_history'),
    matter: sql.ref('case_id'),
  },
  intakes: {
    named: sql.table('intake_access'),
    history: sql.table('intake_access_history'),
    matter: sql.ref('intake_id'),
  },
};

export type NamedRow = NamedUser & {
  kind: 'added' | 'screened' | 'opened' | 'paused';
  reason: string;
  at: Date;
  until: Date | null;
  by_id: string | null;
  by_first_name: string | null;
  by_last_name: string | null;
};

type NamedPeople = {
  added: string[];
  screened: Map<string, string>;
  /** No one is paused here. */
  paused: string[];
  by: string;
};

type HistoryAction = z.infer<typeof AccessEntrySchema>['action'];
type HistoryRow = {
  at: Date;
  action: HistoryAction;
  reason: string;
  by_id: string | null;
  by_first_name: string | null;
  by_last_name: string | null;
  people: Person[];
};

type NewEntry = { by: string; action: HistoryAction; people: readonly string[]; reason: string };

type Pause = { userId: string; by: string };

export function findMatter(db: Scoped, matter: Matter): Promise<WalledRow | undefined> {
  return readMatter(db, matter, sql``);
}

/** Locked, so that changes of access follow each other. */
export function lockMatter(trx: Transaction, matter: Matter): Promise<WalledRow | undefined> {
  return readMatter(trx, matter, sql`for update`);
}

/** Assigned people of a case, in their order. */
export function listAssigned(db: Scoped, caseId: string): Promise<NamedUser[]> {
  return db
    .selectFrom('case_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.user_id', 'u.first_name', 'u.last_name', 'u.active'])
    .where('a.case_id', '=', caseId)
    .orderBy('a.position')
    .execute();
}

/** The owner of an intake, as the counterpart of a case's assigned users. */
export function listOwner(db: Scoped, intakeId: string): Promise<NamedUser[]> {
  return db
    .selectFrom('intakes as i')
    .innerJoin('users as u', 'u.id', 'i.owner_id')
    .select(['u.id as user_id', 'u.first_name', 'u.last_name', 'u.active'])
    .where('i.id', '=', intakeId)
    .execute();
}

/** Users who see an intake while it is open: its creator, and those who handle intakes. */
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
  await updateSight(trx, { kind, id });
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
  await updateSight(trx, { kind, id });
}

/** Derives from the access list what the views filter by. */
function updateSight(trx: Transaction, { kind, id }: Matter): Promise<void> {
  return kind === 'cases' ? refreshCaseSight(trx, id) : refreshIntakeWall(trx, id);
}

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

export function countWalled(db: Scoped, userId: string): Promise<number> {
  return countUpToCap(db, sql`${walledCases(userId)} union all ${walledIntakes(userId)}`);
}

export function findPerson(db: Scoped, id: string) {
  return db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Active people who manage walls. */
export function listWallManagers(db: Scoped): Promise<Person[]> {
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('active', '=', true)
    .where((eb) =>
      eb.or([eb('role', '=', 'admin'), sql<boolean>`permissions ->> 'manageWalls' = 'true'`]),
    )
    .orderBy('last_name')
    .execute();
}

/** People who are added, screened, paused, or see the matter for a time. */
export async function listNamed(db: Scoped, { kind, id }: Matter): Promise<NamedRow[]> {
  const { named, matter } = accessTables[kind];
  const { rows } = await sql<NamedRow>`
    select a.user_id, a.kind, a.reason, a.at, a.until, a.by_id, u.first_name, u.last_name, u.active,
      b.first_name as by_first_name, b.last_name as by_last_name
    from ${named} a join users u on u.id = a.user_id left join users b on b.id = a.by_id
    where a.${matter} = ${id} and (a.until is null or a.until > statement_timestamp())
    order by u.last_name, u.first_name, u.id`.execute(db);
  return rows;
}

/** History of access, newest first. */
export async function listHistory(
  db: Scoped,
  { kind, id }: Matter,
  limit: number,
): Promise<HistoryRow[]> {
  const { history, matter } = accessTables[kind];
  const { rows } = await sql<HistoryRow>`
    select h.at, h.action, h.reason, h.by_id, b.first_name as by_first_name, b.last_name as by_last_name,
      coalesce((
        select jsonb_agg(${personJsonb('p')}
          order by p.last_name, p.first_name)
        from users p where p.id = any(h.people)), '[]') as people
    from ${history} h left join users b on b.id = h.by_id
    where h.${matter} = ${id} order by h.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Replaces the added, the screened and the paused; those who stay keep when and by whom. */
export async function replaceNamed(
  trx: Transaction,
  { kind, id }: Matter,
  { added, screened, paused, by }: NamedPeople,
): Promise<void> {
  const { named, matter } = accessTables[kind];
  const out = [...screened.keys()];
  await sql`
    delete from ${named} where ${matter} = ${id} and kind <> 'opened'
      and not (kind = 'added' and user_id = any(${added}::uuid[]))
      and not (kind = 'screened' and user_id = any(${out}::uuid[]))
      and not (kind = 'paused' and user_id = any(${paused}::uuid[]))`.execute(trx);
  await sql`
    insert into ${named} (${matter}, user_id, kind, reason, by_id)
    select ${id}::uuid, wanted.user_id, wanted.kind, wanted.reason, ${by}::uuid
    from (
      select unnest(${added}::uuid[]) user_id, 'added' kind, '' reason
      union all select unnest(${out}::uuid[]), 'screened', unnest(${[...screened.values()]}::text[])) wanted
    on conflict (${matter}, user_id, kind) do update set reason = excluded.reason`.execute(trx);
}

/** Lets a user in for some hours. @returns until when */
export async function insertOpening(
  trx: Transaction,
  { kind, id }: Matter,
  { userId, reason, hours }: { userId: string; reason: string; hours: number },
): Promise<Date> {
  const { named, matter } = accessTables[kind];
  const { rows } = await sql<{ until: Date }>`
    insert into ${named} (${matter}, user_id, kind, reason, by_id, until)
    values (${id}, ${userId}, 'opened', ${reason}, ${userId},
      statement_timestamp() + make_interval(hours => ${hours}))
    on conflict (${matter}, user_id, kind) do update
      set reason = excluded.reason, until = excluded.until, at = clock_timestamp()
    returning until`.execute(trx);
  await updateSight(trx, { kind, id });
  return rows[0]?.until ?? new Date();
}

export async function insertHistory(
  trx: Transaction,
  { kind, id }: Matter,
  { by, action, people, reason }: NewEntry,
): Promise<void> {
  const { history, matter } = accessTables[kind];
  await sql`
    insert into ${history} (${matter}, by_id, action, people, reason)
    values (${id}, ${by}, ${action}, ${[...people]}::uuid[], ${reason})`.execute(trx);
}

/** Removes openings that have ended, and what they let the user see. @returns whose, and of which matter */
export async function takeEndedOpenings(
  trx: Transaction,
  kind: WalledKind,
): Promise<{ id: string; user_id: string }[]> {
  const { named, matter } = accessTables[kind];
  const { rows } = await sql<{ id: string; user_id: string }>`
    delete from ${named} where until <= statement_timestamp() returning ${matter} as id, user_id`.execute(
    trx,
  );
  for (const { id } of rows) await updateSight(trx, { kind, id });
  return rows;
}

/**
 * Pauses a user on all matters of a kind that name them, and ends what they opened for a time.
 * @returns ids of the restricted ones
 */
export async function insertPauses(
  trx: Transaction,
  kind: WalledKind,
  { userId, by }: Pause,
): Promise<string[]> {
  const { named, matter } = accessTables[kind];
  const own = {
    cases: sql`select case_id as id from case_assignments where user_id = ${userId}`,
    intakes: sql`select id from intakes where owner_id = ${userId}`,
  };
  const { rows } = await sql<{ id: string }>`
    with ended as (
      delete from ${named} where user_id = ${userId} and kind = 'opened' returning ${matter} as id),
    paused as (
      insert into ${named} (${matter}, user_id, kind, by_id)
      select o.id, ${userId}::uuid, 'paused', ${by}::uuid from (
        ${own[kind]}
        union select ${matter} from ${named} where user_id = ${userId} and kind = 'added') o
      on conflict (${matter}, user_id, kind) do update
        set by_id = excluded.by_id, at = clock_timestamp()
      returning ${matter} as id)
    select m.id from ${sql.table(kind)} m
    where m.access = 'restricted' and m.id in (select id from ended union select id from paused)
    order by m.id`.execute(trx);
  return rows.map(({ id }) => id);
}

async function readMatter(db: Executor, { kind, id }: Matter, lock: ReturnType<typeof sql>) {
  const { rows } = await sql<WalledRow>`
    select id, access, access_updated_at from ${tables[kind]} where id = ${id} ${lock}`.execute(db);
  return rows[0];
}

function walledCases(userId: string) {
  return sql`
    select 0 as rank, c.serial, 'cases' as kind, c.id, coalesce(c.case_no, ${NOT_FILED}) as number, c.case_name as name, c.access as mode
    from cases c where c.is_walled and not exists (
      select from case_access a where a.case_id = c.id and a.user_id = ${userId} and a.kind = 'screened')`;
}

/** Excludes intakes to which people were only added: they are still open. */
function walledIntakes(userId: string) {
  return sql`
    select 1 as rank, i.number as serial, 'intakes' as kind, i.id, i.number::text, i.name, i.access as mode
    from intakes i where i.is_walled
      and (i.access = 'restricted' or exists (
        select from intake_access a where a.intake_id = i.id and a.kind = 'screened'))
      and not exists (
        select from intake_access a where a.intake_id = i.id and a.user_id = ${userId} and a.kind = 'screened')`;
}
