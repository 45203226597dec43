import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { AccessEntrySchema, WalledKind } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { type Matter, type Named, workOut } from './store.ts';

/** The people whom a matter's access names beside the assigned, and what was done to it. */
const places = {
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

export type NamedRow = Named & {
  kind: 'added' | 'screened' | 'opened' | 'paused';
  reason: string;
  at: Date;
  until: Date | null;
  by_id: string | null;
  by_first_name: string | null;
  by_last_name: string | null;
};

/** People who are added, screened, paused, or see the matter for a time. */
export async function listNamed(db: Scoped, { kind, id }: Matter): Promise<NamedRow[]> {
  const { named, matter } = places[kind];
  const { rows } = await sql<NamedRow>`
    select a.user_id, a.kind, a.reason, a.at, a.until, a.by_id, u.first_name, u.last_name, u.active,
      b.first_name as by_first_name, b.last_name as by_last_name
    from ${named} a join users u on u.id = a.user_id left join users b on b.id = a.by_id
    where a.${matter} = ${id} and (a.until is null or a.until > statement_timestamp())
    order by u.last_name, u.first_name, u.id`.execute(db);
  return rows;
}

type Naming = {
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

/** Newest first. */
export async function listHistory(
  db: Scoped,
  { kind, id }: Matter,
  limit: number,
): Promise<HistoryRow[]> {
  const { history, matter } = places[kind];
  const { rows } = await sql<HistoryRow>`
    select h.at, h.action, h.reason, h.by_id, b.first_name as by_first_name, b.last_name as by_last_name,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'firstName', p.first_name, 'lastName', p.last_name)
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
  { added, screened, paused, by }: Naming,
): Promise<void> {
  const { named, matter } = places[kind];
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
  const { named, matter } = places[kind];
  const { rows } = await sql<{ until: Date }>`
    insert into ${named} (${matter}, user_id, kind, reason, by_id, until)
    values (${id}, ${userId}, 'opened', ${reason}, ${userId},
      statement_timestamp() + make_interval(hours => ${hours}))
    on conflict (${matter}, user_id, kind) do update
      set reason = excluded.reason, until = excluded.until, at = clock_timestamp()
    returning until`.execute(trx);
  await workOut(trx, { kind, id });
  return rows[0]?.until ?? new Date();
}

type NewEntry = { by: string; action: HistoryAction; people: readonly string[]; reason: string };

export async function insertHistory(
  trx: Transaction,
  { kind, id }: Matter,
  { by, action, people, reason }: NewEntry,
): Promise<void> {
  const { history, matter } = places[kind];
  await sql`
    insert into ${history} (${matter}, by_id, action, people, reason)
    values (${id}, ${by}, ${action}, ${[...people]}::uuid[], ${reason})`.execute(trx);
}

/** Removes openings that have ended. @returns whose, and of which matter */
export async function takeEnded(
  trx: Transaction,
  kind: WalledKind,
): Promise<{ id: string; user_id: string }[]> {
  const { named, matter } = places[kind];
  const { rows } = await sql<{ id: string; user_id: string }>`
    delete from ${named} where until <= statement_timestamp() returning ${matter} as id, user_id`.execute(
    trx,
  );
  return rows;
}

type Pause = { userId: string; by: string };

/**
 * Pauses a user on all matters of a kind that name them, and ends what they opened for a time.
 * @returns ids of the restricted ones
 */
export async function insertPauses(
  trx: Transaction,
  kind: WalledKind,
  { userId, by }: Pause,
): Promise<string[]> {
  const { named, matter } = places[kind];
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
