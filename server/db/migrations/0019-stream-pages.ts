import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/** Times and owners beside filed texts, and indexes that hold what the stream counts. */
const statements = [
  sql`
    alter table base.filed_texts
      add column sent_at timestamptz(3),
      add column owner_id uuid references users (id)`,
  sql`
    update base.filed_texts f set sent_at = t.sent_at, owner_id = t.owner_id
      from text_messages t where t.id = f.message_id`,
  sql`alter table base.filed_texts alter column sent_at set not null`,
  sql`
    create function date_filed_text() returns trigger language plpgsql as $$ begin
      -- Locked, so that a change of the text meanwhile waits, and then finds this row.
      select t.sent_at, t.owner_id into new.sent_at, new.owner_id
        from text_messages t where t.id = new.message_id for share;
      return new;
    end $$`,
  sql`
    create trigger filed_texts_dated before insert on base.filed_texts
      for each row execute function date_filed_text()`,
  sql`
    create function redate_filed_texts() returns trigger language plpgsql as $$ begin
      update base.filed_texts set sent_at = new.sent_at, owner_id = new.owner_id
        where message_id = new.id;
      return null;
    end $$`,
  sql`
    create trigger text_messages_redated after update on text_messages
      for each row when ((old.sent_at, old.owner_id) is distinct from (new.sent_at, new.owner_id))
      execute function redate_filed_texts()`,
  sql`create index filed_texts_of_case on base.filed_texts (case_id, sent_at desc, message_id desc)
    include (owner_id)`,
  sql`
    create or replace view filed_texts as select t.* from base.filed_texts t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`,
  sql`drop index text_messages_with`,
  sql`create index text_messages_with on text_messages (other_number, sent_at desc, id desc)
    include (owner_id)`,
  sql`drop index base.entries_of_case`,
  sql`create index entries_of_case on base.entries (case_id, at desc, id desc)
    include (kind, author_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
