import { sql, type Selectable } from 'kysely';
import type { Notice } from '@matterdesk/contract/notices.ts';
import type { NoticesTable } from '../../db/schema-notices.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';

/** A notice before it is raised. */
export type Draft = {
  user_id: string;
  case_id: string | null;
  intake_id?: string;
  event_id: string | null;
  deadline_id: string | null;
  type: Notice['type'];
  subject: string;
  title: string;
  body: string;
  at: Date;
  missed: boolean;
  /** A mail of its own says the same. */
  is_mailed?: boolean;
};

export type NoticeRow = Selectable<NoticesTable> & {
  case_name: string | null;
  starts_at: Date | null;
  first_day: string | null;
  effective_date: string | null;
};

function listed(db: Scoped) {
  return db
    .selectFrom('notices as n')
    .leftJoin('cases as c', 'c.id', 'n.case_id')
    .leftJoin('events as e', 'e.id', 'n.event_id')
    .leftJoin('deadlines as d', 'd.id', 'n.deadline_id')
    .selectAll('n')
    .select(['c.case_name', 'e.starts_at', 'e.first_day', 'd.effective_date']);
}

export function toNotice(row: NoticeRow): Notice {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    at: row.at.toISOString(),
    item: itemOf(row),
    seenAt: row.seen_at?.toISOString() ?? null,
    mailed: isSettled(row.mail_state) ? row.mail_state : null,
    missed: row.missed,
  };
}

function isSettled(state: NoticeRow['mail_state']): state is NonNullable<Notice['mailed']> {
  return state === 'sent' || state === 'failed' || state === 'unknown' || state === 'no';
}

function itemOf(row: NoticeRow): Notice['item'] {
  const { case_id: caseId, case_name: caseName } = row;
  const of = caseId === null || caseName === null ? null : { id: caseId, caseName };
  const start = row.starts_at?.toISOString() ?? row.first_day;
  if (row.event_id !== null && start !== null)
    return { type: 'event', id: row.event_id, case: of, start };
  if (row.deadline_id !== null && row.effective_date !== null)
    return { type: 'deadline', id: row.deadline_id, case: of, start: row.effective_date };
  if (row.type !== 'access') return null;
  const at = row.at.toISOString();
  if (row.intake_id !== null) return { type: 'intake', id: row.intake_id, case: null, start: at };
  return of && { type: 'case', id: of.id, case: of, start: at };
}

type Page = { userId: string; limit: number; after: string | undefined };

/** The newest first; what was put off is not listed until it is raised again. */
export function listNotices(db: Scoped, { userId, limit, after }: Page): Promise<NoticeRow[]> {
  return listed(db)
    .where('n.user_id', '=', userId)
    .where('n.snoozed_until', 'is', null)
    .$if(after !== undefined, (query) => query.where('n.serial', '<', after ?? ''))
    .orderBy('n.serial', 'desc')
    .limit(limit)
    .execute();
}

/** Counts up to `cap`. */
export async function countNotices(db: Scoped, userId: string, cap: number) {
  const counted = (condition: string) => sql<number>`(select count(*)::int from (
    select from notices n where n.user_id = ${userId} and n.snoozed_until is null
      ${sql.raw(condition)} limit ${cap}) counted)`;
  const { rows } = await sql<{ total: number; unseen: number }>`
    select ${counted('')} as total, ${counted('and n.seen_at is null')} as unseen`.execute(db);
  return rows[0] ?? { total: 0, unseen: 0 };
}

/** The user's own, locked. */
export function lockNotice(
  trx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<NoticeRow | undefined> {
  return listed(trx)
    .where('n.id', '=', id)
    .where('n.user_id', '=', userId)
    .forUpdate('n')
    .executeTakeFirst();
}

export async function markSeen(trx: Transaction, id: string, seen: boolean): Promise<void> {
  const seen_at = seen ? sql<Date>`coalesce(seen_at, clock_timestamp())` : null;
  await trx.updateTable('notices').set({ seen_at }).where('id', '=', id).execute();
}

/** Hides a notice until it is raised again. */
export async function putOff(trx: Transaction, id: string, minutes: number): Promise<void> {
  const snoozed_until = sql<Date>`clock_timestamp() + make_interval(mins => ${minutes})`;
  await trx.updateTable('notices').set({ snoozed_until }).where('id', '=', id).execute();
}

/**
 * Inserts what is new and for active users who see the matter.
 * @returns the inserted notices
 */
export async function insertNotices(trx: Transaction, drafts: Draft[]): Promise<NoticeRow[]> {
  if (drafts.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    insert into notices (user_id, case_id, intake_id, event_id, deadline_id, type, subject, title, body, at,
      missed, mail_state)
    select n.user_id, n.case_id, n.intake_id, n.event_id, n.deadline_id, n.type, n.subject, n.title, n.body, n.at,
        n.missed, case when n.is_mailed is not true and exists (select from notice_settings s where s.user_id = n.user_id and s.mail) then 'waiting' end
      from json_to_recordset(${JSON.stringify(drafts)}) as n (user_id uuid, case_id uuid, intake_id uuid,
        event_id uuid, deadline_id uuid, type text, subject text, title text, body text, at timestamptz,
        missed boolean, is_mailed boolean)
        join users u on u.id = n.user_id and u.active
      where base.sees_case(n.user_id, n.case_id) and base.sees_intake(n.user_id, n.intake_id)
      order by n.at
    on conflict (user_id, subject) do nothing
    returning id`.execute(trx);
  return findMany(
    trx,
    rows.map(({ id }) => id),
  );
}

function findMany(trx: Transaction, ids: string[]): Promise<NoticeRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return listed(trx)
    .where('n.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('n.serial')
    .execute();
}

/** Raises what was put off until now; what its user no longer sees is only no longer put off. */
export async function wake(trx: Transaction, limit: number): Promise<NoticeRow[]> {
  const { rows } = await sql<{ id: string; sees: boolean }>`
    update notices set snoozed_until = null, seen_at = null, raised_at = clock_timestamp(),
        serial = nextval('base.notice_serial')
      where id in (select n.id from notices n where n.snoozed_until <= clock_timestamp()
        order by n.snoozed_until limit ${limit} for update skip locked)
      returning id,
        base.sees_case(user_id, case_id) and base.sees_intake(user_id, intake_id) as sees`.execute(
    trx,
  );
  return findMany(
    trx,
    rows.filter(({ sees }) => sees).map(({ id }) => id),
  );
}
