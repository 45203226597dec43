import { type Kysely, type RawBuilder, sql } from 'kysely';
import { viewOfCases, visible } from './baseline-walls.ts';

/** Times of filed texts beside them, and counts of entries and filed texts, kept by what changes them. */
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
    create function base.date_filed_text() returns trigger language plpgsql as $$ begin
      -- Locked, so that a change of the text meanwhile waits, and then finds this row.
      select t.sent_at, t.owner_id into new.sent_at, new.owner_id
        from text_messages t where t.id = new.message_id for share;
      return new;
    end $$`,
  sql`
    create trigger filed_texts_dated before insert on base.filed_texts
      for each row execute function base.date_filed_text()`,
  sql`
    create function base.redate_filed_texts() returns trigger language plpgsql as $$ begin
      update base.filed_texts set sent_at = new.sent_at, owner_id = new.owner_id
        where message_id = new.id;
      return null;
    end $$`,
  sql`
    create trigger text_messages_redated after update of sent_at, owner_id on text_messages
      for each row when ((old.sent_at, old.owner_id) is distinct from (new.sent_at, new.owner_id))
      execute function base.redate_filed_texts()`,
  sql`create index filed_texts_of_case on base.filed_texts (case_id, sent_at desc, message_id desc)`,
  sql`
    create or replace view filed_texts as select t.* from base.filed_texts t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`,
  // Texts with the parties of a matter are counted without reading them.
  sql`drop index text_messages_with`,
  sql`create index text_messages_with on text_messages (other_number, sent_at desc, id desc)
    include (owner_id)`,
  sql`
    create table base.stream_counts (
      case_id uuid not null references base.cases (id),
      kind text not null,
      user_id uuid not null references users (id),
      n int not null,
      primary key (case_id, kind, user_id)
    )`,
  viewOfCases('stream_counts'),
  ...keepCounts('entries', { kind: sql`kind`, person: sql`author_id` }),
  ...keepCounts('filed_texts', { kind: sql`'text'`, person: sql`owner_id` }),
];

type Counted = { kind: RawBuilder<unknown>; person: RawBuilder<unknown> };

function keepCounts(table: string, { kind, person }: Counted): RawBuilder<unknown>[] {
  const columns = sql`case_id, ${kind} as kind, ${person} as user_id`;
  const [added, removed] = [
    sql`select ${columns}, 1 as more from added`,
    sql`select ${columns}, -1 from removed`,
  ];
  const add = (rows: RawBuilder<unknown>) => sql`
    insert into base.stream_counts as c (case_id, kind, user_id, n)
      select case_id, kind, user_id, sum(more) from (${rows}) rows (case_id, kind, user_id, more)
      where user_id is not null group by case_id, kind, user_id having sum(more) <> 0
      order by case_id, kind, user_id
      on conflict (case_id, kind, user_id) do update set n = c.n + excluded.n`;
  const changes = [
    ['insert', added, sql`new table as added`],
    ['delete', removed, sql`old table as removed`],
    ['update', sql`${added} union all ${removed}`, sql`old table as removed new table as added`],
  ] as const;
  return [
    add(sql`select ${columns}, 1 from base.${sql.id(table)}`),
    ...changes.flatMap(([change, rows, tables]) => {
      const count = sql.id('base', `count_${change}_of_${table}`);
      return [
        sql`create function ${count}() returns trigger language plpgsql as $$ begin
          ${add(rows)};
          return null;
        end $$`,
        sql`create trigger ${sql.id(`${table}_counted_${change}`)} after ${sql.raw(change)} on base.${sql.id(table)}
          referencing ${tables} for each statement execute function ${count}()`,
      ];
    }),
  ];
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
