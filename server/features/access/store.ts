import { sql } from 'kysely';
import type { AccessMode, AccessEntrySchema } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type * as z from 'zod/mini';
import { workOutSight } from '../../db/audiences.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';

type Named = { user_id: string; first_name: string; last_name: string; active: boolean };
export type WalledRow = {
  id: string;
  access: AccessMode;
  access_updated_at: Date;
  case_name: string;
  case_no: string;
};

const columns = ['id', 'access', 'access_updated_at', 'case_name', 'case_no'] as const;

export function findMatter(db: Scoped, id: string): Promise<WalledRow | undefined> {
  return db.selectFrom('cases').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Locked, so that changes of access follow each other. */
export function lockMatter(trx: Transaction, id: string): Promise<WalledRow | undefined> {
  return trx
    .selectFrom('cases')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Assigned people, in their order. */
export function listAssigned(db: Scoped, caseId: string): Promise<Named[]> {
  return db
    .selectFrom('case_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.user_id', 'u.first_name', 'u.last_name', 'u.active'])
    .where('a.case_id', '=', caseId)
    .orderBy('a.position')
    .execute();
}

/** People who are added, screened, or see the matter for a time. */
export function listNamed(db: Scoped, caseId: string) {
  return db
    .selectFrom('case_access as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('users as b', 'b.id', 'a.by_id')
    .select(['a.user_id', 'a.kind', 'a.reason', 'a.at', 'a.until', 'a.by_id'])
    .select(['u.first_name', 'u.last_name', 'u.active'])
    .select(['b.first_name as by_first_name', 'b.last_name as by_last_name'])
    .where('a.case_id', '=', caseId)
    .where((eb) =>
      eb.or([eb('a.until', 'is', null), eb('a.until', '>', sql<Date>`statement_timestamp()`)]),
    )
    .orderBy('u.last_name')
    .orderBy('u.first_name')
    .orderBy('u.id')
    .execute();
}
export type NamedRow = Awaited<ReturnType<typeof listNamed>>[number];

const people = sql<Person[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', p.id, 'firstName', p.first_name, 'lastName', p.last_name)
    order by p.last_name, p.first_name)
  from users p where p.id = any(h.people)), '[]')`;

/** Newest first. */
export function listHistory(db: Scoped, caseId: string, limit: number) {
  return db
    .selectFrom('access_history as h')
    .leftJoin('users as b', 'b.id', 'h.by_id')
    .select(['h.at', 'h.action', 'h.reason', 'h.by_id'])
    .select(['b.first_name as by_first_name', 'b.last_name as by_last_name'])
    .select(people.as('people'))
    .where('h.case_id', '=', caseId)
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute();
}

/** Replaces the added and the screened; those screened before keep when and by whom. */
export async function replaceNamed(
  trx: Transaction,
  caseId: string,
  { added, screened, by }: { added: string[]; screened: Map<string, string>; by: string },
): Promise<void> {
  const wanted = [
    ...added.map((user_id) => ({ user_id, kind: 'added' as const, reason: '' })),
    ...[...screened].map(([user_id, reason]) => ({ user_id, kind: 'screened' as const, reason })),
  ];
  await trx
    .deleteFrom('case_access')
    .where('case_id', '=', caseId)
    .where('kind', '!=', 'opened')
    .where((eb) =>
      eb.not(
        eb.or([
          eb.and([eb('kind', '=', 'added'), sql<boolean>`user_id = any(${added}::uuid[])`]),
          eb.and([
            eb('kind', '=', 'screened'),
            sql<boolean>`user_id = any(${[...screened.keys()]}::uuid[])`,
          ]),
        ]),
      ),
    )
    .execute();
  if (wanted.length === 0) return;
  await trx
    .insertInto('case_access')
    .values(wanted.map((row) => ({ ...row, case_id: caseId, by_id: by, until: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['case_id', 'user_id', 'kind'])
        .doUpdateSet((eb) => ({ reason: eb.ref('excluded.reason') })),
    )
    .execute();
}

/** Sets the mode and works out who sees what; `access_updated_at` grows strictly. */
export async function updateMatter(
  trx: Transaction,
  caseId: string,
  change: { access: AccessMode; is_walled: boolean },
): Promise<void> {
  await trx
    .updateTable('cases')
    .set({
      ...change,
      access_updated_at: sql<Date>`greatest(clock_timestamp(), access_updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', caseId)
    .execute();
  await workOutSight(trx, caseId);
}

/** Lets a user in for some hours. @returns until when */
export async function insertOpening(
  trx: Transaction,
  {
    caseId,
    userId,
    reason,
    hours,
  }: { caseId: string; userId: string; reason: string; hours: number },
): Promise<Date> {
  const until = sql<Date>`statement_timestamp() + make_interval(hours => ${hours})`;
  const { until: ends } = await trx
    .insertInto('case_access')
    .values({ case_id: caseId, user_id: userId, kind: 'opened', reason, by_id: userId, until })
    .onConflict((conflict) =>
      conflict.columns(['case_id', 'user_id', 'kind']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        until: eb.ref('excluded.until'),
        at: sql<Date>`clock_timestamp()`,
      })),
    )
    .returning('until')
    .executeTakeFirstOrThrow();
  await workOutSight(trx, caseId);
  return ends ?? new Date();
}

type HistoryAction = z.infer<typeof AccessEntrySchema>['action'];

export async function insertHistory(
  trx: Transaction,
  entry: {
    caseId: string;
    by: string;
    action: HistoryAction;
    people: readonly string[];
    reason: string;
  },
): Promise<void> {
  const { caseId, by, action, people: ids, reason } = entry;
  await trx
    .insertInto('access_history')
    .values({ case_id: caseId, by_id: by, action, people: [...ids], reason })
    .execute();
}

/** Walled matters, newest first, without those from which the reader is screened. */
export function listWalled(
  db: Scoped,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
) {
  return walled(db, userId)
    .select(['c.id', 'c.serial', 'c.case_no', 'c.case_name', 'c.access'])
    .$if(after !== undefined, (query) => query.where('c.serial', '<', after ?? ''))
    .orderBy('c.serial', 'desc')
    .limit(limit)
    .execute();
}

/** Counts up to `cap`. */
export async function countWalled(db: Scoped, userId: string, cap: number): Promise<number> {
  const { counted } = await db
    .selectFrom(walled(db, userId).select('c.id').limit(cap).as('w'))
    .select(sql<number>`count(*)::int`.as('counted'))
    .executeTakeFirstOrThrow();
  return counted;
}

function walled(db: Scoped, userId: string) {
  return db
    .selectFrom('cases as c')
    .where('c.is_walled', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('case_access as a')
            .select('a.user_id')
            .whereRef('a.case_id', '=', 'c.id')
            .where('a.user_id', '=', userId)
            .where('a.kind', '=', 'screened'),
        ),
      ),
    );
}

export function findPerson(db: Scoped, id: string) {
  return db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Ids of all active people. */
export async function listActivePeople(db: Scoped): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('active', '=', true).execute();
  return rows.map(({ id }) => id);
}

/** Removes openings that have ended. @returns whose, and of which matter */
export function takeEnded(trx: Transaction) {
  return trx
    .deleteFrom('case_access')
    .where('until', '<=', sql<Date>`statement_timestamp()`)
    .returning(['case_id', 'user_id'])
    .execute();
}
