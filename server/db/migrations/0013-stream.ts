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
      -- Folded, with the name and number that a call was saved with.
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
  // Users who lose a matter lose its mentions for good.
  sql`alter function base.work_out_sight(uuid[]) rename to derive_sight`,
  sql`
    create function base.work_out_sight(ids uuid[]) returns void language sql as $$
      select base.derive_sight(ids);
      delete from base.notices n where n.type = 'mention' and n.case_id = any(ids)
        and not base.sees_case(n.user_id, n.case_id)
    $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
