import { type Kysely, sql } from 'kysely';
import { viewOfCases } from './baseline-walls.ts';

/** Notes, calls, memos and filings of matters, texts filed there, and notices of those whom an entry mentions. */
const statements = [
  sql`
    create table base.entries (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      kind text not null check (kind in ('note', 'call', 'memo', 'filing')),
      text text not null,
      -- Folded, with who was called.
      search_text text not null,
      at timestamptz(3) not null,
      entered_at timestamptz(3) not null default clock_timestamp(),
      author_id uuid not null references users (id),
      call jsonb,
      mentions uuid[] not null default '{}',
      files uuid[] not null default '{}',
      edited_at timestamptz(3),
      deleted_at timestamptz(3),
      deleted_by uuid references users (id),
      pinned_at timestamptz(3),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index entries_of_case on base.entries (case_id, at desc, id desc)`,
  sql`create index entries_pinned on base.entries (case_id, pinned_at desc)
    where pinned_at is not null`,
  viewOfCases('entries'),
  sql`
    create table base.entry_versions (
      id bigint generated always as identity primary key,
      entry_id uuid not null references base.entries (id),
      text text not null,
      at timestamptz(3) not null,
      by_id uuid not null references users (id)
    )`,
  sql`create index entry_versions_of_entry on base.entry_versions (entry_id, id)`,
  sql`
    create trigger entry_versions_stay before update or delete or truncate on base.entry_versions
      for each statement execute function refuse_change()`,
  sql`
    create view entry_versions as select t.* from base.entry_versions t
      where exists (select from entries e where e.id = t.entry_id)
      with local check option`,
  sql`
    create table base.filed_texts (
      case_id uuid not null references base.cases (id),
      message_id uuid not null references text_messages (id),
      by_id uuid not null references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      primary key (case_id, message_id)
    )`,
  sql`create index filed_texts_of_message on base.filed_texts (message_id)`,
  viewOfCases('filed_texts'),
  // Texts with the parties of a matter, of every user.
  sql`create index text_messages_with on text_messages (other_number, sent_at desc, id desc)`,
  // The stream reads it by time; ids of concurrent transactions are not in that order.
  sql`drop index audit_log_of_case`,
  sql`create index audit_log_of_case on audit_log (case_id, at desc, id desc)
    where case_id is not null`,
  sql`
    alter table base.notices
      add column entry_id uuid,
      drop constraint notices_type_check,
      add constraint notices_type_check check (type in ('reminder', 'warning', 'escalation', 'change',
        'proposal', 'digest', 'access', 'account', 'mention'))`,
  sql`create index notices_of_mentions on base.notices (case_id) where type = 'mention'`,
  sql`
    create or replace view notices as select t.* from base.notices t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
        and (t.intake_id is null or exists (select from intakes i where i.id = t.intake_id))
      with local check option`,
  // Users who lose a matter lose its mentions for good: the last statement is new.
  sql`
    create or replace function base.work_out_sight(ids uuid[]) returns void language sql as $$
      delete from base.case_sight where case_id = any(ids);
      insert into base.case_sight (user_id, case_id, sees, until)
      select a.user_id, a.case_id, false, null
        from base.case_access a join base.cases c on c.id = a.case_id
        where a.case_id = any(ids) and a.kind = 'screened' and c.access = 'open'
      union all
      select i.user_id, i.case_id, true,
          case when bool_or(i.until is null) then null else max(i.until) end
        from (
          select n.user_id, n.case_id, null::timestamptz as until
            from (
              select user_id, case_id from base.case_assignments where case_id = any(ids)
              union all
              select user_id, case_id from base.case_access
                where case_id = any(ids) and kind = 'added'
            ) n where not exists (
              select from base.case_access p
              where p.case_id = n.case_id and p.user_id = n.user_id and p.kind = 'paused')
          union all
          select user_id, case_id, until from base.case_access
            where case_id = any(ids) and kind = 'opened'
        ) i join base.cases c on c.id = i.case_id
        where c.is_walled and c.access = 'restricted' and not exists (
          select from base.case_access s
          where s.case_id = i.case_id and s.user_id = i.user_id and s.kind = 'screened')
        group by i.user_id, i.case_id;
      -- Remembered totals of searches end.
      insert into case_counts (status_type, cases, changes) values ('Active', 0, 1), ('Archive', 0, 1);
      delete from base.notices n where n.type = 'mention' and n.case_id = any(ids)
        and not base.sees_case(n.user_id, n.case_id)
    $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
