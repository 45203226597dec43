import { sql, type Selectable } from 'kysely';
import type {
  Notice,
  CalendarSettings,
  CalendarSettingsPatch,
  NoticeType,
} from '@matterdesk/contract/notices.ts';
import type { NoticesTable, MailState } from '../../db/schema-notices.ts';
import type { Scoped, Transaction, Executor } from '../../db/schema.ts';

/** A notice before it is raised. */
export type Draft = {
  user_id: string;
  case_id: string | null;
  intake_id?: string;
  event_id: string | null;
  deadline_id: string | null;
  entry_id?: string;
  type: Notice['type'];
  subject: string;
  title: string;
  body: string;
  at: Date;
  missed: boolean;
  /** Set if another mail covers it. */
  is_mailed?: boolean;
};

export type NoticeRow = Selectable<NoticesTable> & {
  case_name: string | null;
  starts_at: Date | null;
  first_day: string | null;
  effective_date: string | null;
  entry_at: Date | null;
};

function selectNotices(db: Scoped) {
  return db
    .selectFrom('notices as n')
    .leftJoin('cases as c', 'c.id', 'n.case_id')
    .leftJoin('events as e', 'e.id', 'n.event_id')
    .leftJoin('deadlines as d', 'd.id', 'n.deadline_id')
    .leftJoin('entries as w', 'w.id', 'n.entry_id')
    .selectAll('n')
    .select(['c.case_name', 'e.starts_at', 'e.first_day', 'd.effective_date', 'w.at as entry_at']);
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
  if (row.entry_id !== null && row.entry_at !== null)
    return { type: 'entry', id: row.entry_id, case: of, start: row.entry_at.toISOString() };
  if (row.type !== 'access' && row.type !== 'exported') return null;
  const at = row.at.toISOString();
  if (row.intake_id !== null) return { type: 'intake', id: row.intake_id, case: null, start: at };
  return of && { type: 'case', id: of.id, case: of, start: at };
}

type Page = { userId: string; limit: number; after: string | undefined };

/** Newest first, without snoozed notices. */
export function listNotices(db: Scoped, { userId, limit, after }: Page): Promise<NoticeRow[]> {
  return selectNotices(db)
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

/** Locks a notice of the user. */
export function lockNotice(
  trx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<NoticeRow | undefined> {
  return selectNotices(trx)
    .where('n.id', '=', id)
    .where('n.user_id', '=', userId)
    .forUpdate('n')
    .executeTakeFirst();
}

export async function markSeen(trx: Transaction, id: string, seen: boolean): Promise<void> {
  const seen_at = seen ? sql<Date>`coalesce(seen_at, clock_timestamp())` : null;
  await trx.updateTable('notices').set({ seen_at }).where('id', '=', id).execute();
}

/** Marks the notices of a deadline as seen, also those put off. */
export async function settleNotices(trx: Transaction, deadlineId: string): Promise<void> {
  await trx
    .updateTable('notices')
    .set({ seen_at: sql<Date>`coalesce(seen_at, clock_timestamp())`, snoozed_until: null })
    .where('deadline_id', '=', deadlineId)
    .execute();
}

/** Hides a notice until it is raised again. */
export async function snooze(trx: Transaction, id: string, minutes: number): Promise<void> {
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
    insert into notices (user_id, case_id, intake_id, event_id, deadline_id, entry_id, type, subject, title,
      body, at, missed, mail_state)
    select n.user_id, n.case_id, n.intake_id, n.event_id, n.deadline_id, n.entry_id, n.type, n.subject, n.title, n.body, n.at,
        n.missed, case when n.is_mailed is not true and exists (select from notice_settings s where s.user_id = n.user_id and s.mail) then 'waiting' end
      from json_to_recordset(${JSON.stringify(drafts)}) as n (user_id uuid, case_id uuid, intake_id uuid,
        event_id uuid, deadline_id uuid, entry_id uuid, type text, subject text, title text, body text, at timestamptz,
        missed boolean, is_mailed boolean)
        join users u on u.id = n.user_id and u.active
      where base.sees_case(n.user_id, n.case_id) and base.sees_intake(n.user_id, n.intake_id)
      order by n.at
    on conflict (user_id, subject) do nothing
    returning id`.execute(trx);
  return findNotices(
    trx,
    rows.map(({ id }) => id),
  );
}

function findNotices(trx: Transaction, ids: string[]): Promise<NoticeRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return selectNotices(trx)
    .where('n.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('n.serial')
    .execute();
}

/** Raises snoozed notices whose time has come, unless their user no longer sees the matter. */
export async function wakeSnoozed(trx: Transaction, limit: number): Promise<NoticeRow[]> {
  const { rows } = await sql<{ id: string; sees: boolean }>`
    update notices set snoozed_until = null, seen_at = null, raised_at = clock_timestamp(),
        serial = nextval('base.notice_serial')
      where id in (select n.id from notices n where n.snoozed_until <= statement_timestamp()
        order by n.snoozed_until limit ${limit} for update skip locked)
      returning id,
        base.sees_case(user_id, case_id) and base.sees_intake(user_id, intake_id) as sees`.execute(
    trx,
  );
  return findNotices(
    trx,
    rows.filter(({ sees }) => sees).map(({ id }) => id),
  );
}

/** Settings of users who have changed none. */
const DEFAULTS: CalendarSettings = { digest: true, mail: false };

export async function readSettings(db: Executor, userId: string): Promise<CalendarSettings> {
  const found = await db
    .selectFrom('notice_settings')
    .select(['digest', 'mail'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found ?? DEFAULTS;
}

export function changeSettings(
  trx: Transaction,
  userId: string,
  patch: CalendarSettingsPatch,
): Promise<CalendarSettings> {
  return trx
    .insertInto('notice_settings')
    .values({ ...DEFAULTS, ...patch, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...patch, user_id: userId }))
    .returning(['digest', 'mail'])
    .executeTakeFirstOrThrow();
}

export type MailOutcome = Extract<MailState, 'waiting' | 'sent' | 'failed' | 'unknown' | 'no'>;
/** A notice to be mailed, with its user. */
export type ClaimedMail = {
  id: string;
  user_id: string;
  email: string;
  name: string;
  title: string;
  body: string;
  at: Date;
  missed: boolean;
  case_name: string | null;
  type: NoticeType;
  case_id: string | null;
  intake_id: string | null;
  entry_id: string | null;
  mail_state: MailState;
  mail_tries: number;
};

/**
 * Begins an attempt to mail a notice. A mail that an earlier attempt may have sent is sent once more; then its outcome
 * stays unknown.
 * @returns undefined if there is nothing to send, or the user no longer sees the matter
 */
export async function claimMail(trx: Transaction, id: string): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update notices set mail_tries = notices.mail_tries + 1,
        mail_state = case notices.mail_state
          when 'waiting' then 'sending' when 'sending' then 'again' else 'unknown' end
      from users u where notices.id = ${id} and u.id = notices.user_id and u.active
        and notices.mail_state in ('waiting', 'sending', 'again')
        and base.sees_case(notices.user_id, notices.case_id)
        and base.sees_intake(notices.user_id, notices.intake_id)
      returning notices.id, notices.user_id, u.email, u.first_name || ' ' || u.last_name as name,
        notices.type, notices.case_id, notices.intake_id, notices.entry_id, notices.title, notices.body, notices.at, notices.missed, notices.mail_state, notices.mail_tries,
        (select c.case_name from cases c where c.id = notices.case_id) as case_name`.execute(trx);
  const [row] = rows;
  return row?.mail_state === 'unknown' ? undefined : row;
}

export async function settleMail(
  trx: Transaction,
  id: string,
  mail_state: MailOutcome,
): Promise<void> {
  await trx.updateTable('notices').set({ mail_state }).where('id', '=', id).execute();
}

/** Writes at most one heartbeat per minute. A gap of more than five minutes is an absence of the server. */
export async function recordHeartbeat(db: Executor): Promise<void> {
  await sql`
    with before as (select at from heartbeat for update),
    beaten as (
      insert into heartbeat (at) values (clock_timestamp())
      on conflict (is_single) do update set at = excluded.at
        where heartbeat.at not between excluded.at - interval '1 minute' and excluded.at)
    insert into absences (from_at, to_at)
      select at, clock_timestamp() from before where at < statement_timestamp() - interval '5 minutes'
      on conflict do nothing`.execute(db);
}

type DayReminder = { id: string; day: string; minutes: number };

/** Reminders of all-day events whose instants were computed by other settings of the firm. */
export function listOutdatedReminders(
  db: Scoped,
  by: string,
  limit: number,
): Promise<DayReminder[]> {
  return db
    .selectFrom('reminders')
    .select(['id', 'minutes', sql<string>`day`.as('day')])
    .where('day', 'is not', null)
    .where(sql<boolean>`derived_by is distinct from ${by}`)
    .limit(limit)
    .execute();
}

export async function updateReminders(
  trx: Transaction,
  by: string,
  rows: { id: string; fire_at: Date }[],
): Promise<void> {
  await sql`update reminders set fire_at = t.fire_at, derived_by = ${by}
    from json_to_recordset(${JSON.stringify(rows)}) as t (id bigint, fire_at timestamptz)
    where reminders.id = t.id`.execute(trx);
}

export type DueReminder = {
  event_id: string;
  minutes: number;
  at: Date;
  missed: boolean;
  title: string;
  case_id: string | null;
  people: string[];
};

/**
 * Takes reminders that are due by the database's clock; other processes take others. Drops those that were already past
 * when they were set.
 */
export async function takeDueReminders(
  trx: Transaction,
  limit: number,
): Promise<{ taken: number; due: DueReminder[] }> {
  const { rows } = await sql<DueReminder & { counts: boolean }>`
    with taken as (
      delete from reminders where id in (
        select r.id from reminders r where r.fire_at <= statement_timestamp()
          order by r.fire_at limit ${limit} for update skip locked)
      returning event_id, minutes, fire_at, set_at)
    select t.event_id, t.minutes, t.fire_at as at, t.fire_at >= t.set_at as counts,
      exists (select from absences a where t.fire_at between a.from_at and a.to_at) as missed,
      e.title, e.case_id, e.people
    from taken t join events e on e.id = t.event_id
    order by t.fire_at`.execute(trx);
  return { taken: rows.length, due: rows.filter(({ counts }) => counts) };
}
