import { type Kysely, sql } from 'kysely';

/** Scans from a folder, and the clues by which papers find their matters. */
const statements = [
  sql`
    alter table tray_items
      -- Which file of the scanner's folder it was, so that one which stays there is taken once.
      add column origin text,
      add column pages integer,
      add column excerpt text not null default '',
      -- Null until it was looked at.
      add column clues jsonb`,
  sql`create unique index tray_items_of_origin on tray_items (origin) where origin is not null`,
  sql`
    create table inbox_problems (
      name text primary key,
      reason text not null,
      at timestamptz(3) not null default clock_timestamp()
    )`,
  // Possible claim numbers; the paper says which of them are. The cost makes the planner use the indexes.
  sql`
    create function numbers_in(written text) returns text[]
      language sql immutable strict parallel safe cost 10000 as $$
        select coalesce(array_agg(distinct upper(found[1])), '{}')
        from regexp_matches(written, '[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*', 'g') as found
        where length(found[1]) between 5 and 60 and found[1] ~ '\\d.*\\d.*\\d.*\\d.*\\d' $$`,
  sql`create index entries_numbers on base.entries using gin (numbers_in(text))`,
  sql`create index parties_numbers on base.parties using gin (numbers_in(note)) where note <> ''`,
  sql`create index contacts_numbers on base.contacts using gin (numbers_in(notes))
    where notes is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
