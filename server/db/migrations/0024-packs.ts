import { type Kysely, sql } from 'kysely';
import { viewOfCases } from './baseline-walls.ts';

/** Matters that were packed to be carried away. */
const statements = [
  sql`
    create table base.packs (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      n integer not null check (n > 0),
      by_id uuid not null references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      state text not null default 'waiting'
        check (state in ('waiting', 'running', 'ready', 'failed', 'erased')),
      -- Files and bytes by part.
      parts jsonb not null,
      left_out jsonb not null,
      -- With the keys of their bytes; empty until they are written and after they are erased.
      volumes jsonb not null default '[]',
      files integer not null,
      bytes bigint not null,
      manifest_sha256 bytea,
      expires_at timestamptz(3),
      error text,
      unique (case_id, n)
    )`,
  sql`create index packs_to_erase on base.packs (expires_at) where state = 'ready'`,
  sql`create index packs_that_take_room on base.packs (state) include (bytes)
    where state in ('waiting', 'running', 'ready')`,
  sql`create index packs_of_person on base.packs (by_id)`,
  viewOfCases('packs'),
  // Open to everyone: the bytes that packs take are no secret of a matter.
  sql`
    create view pack_use as select
      coalesce(sum(bytes) filter (where state = 'ready'), 0)::float8 as ready,
      coalesce(sum(bytes) filter (where state <> 'ready'), 0)::float8 as under_way
      from base.packs where state in ('waiting', 'running', 'ready')`,
  sql`
    alter table base.notices drop constraint notices_type_check,
      add constraint notices_type_check check (type in ('reminder', 'warning', 'escalation', 'change',
        'proposal', 'digest', 'access', 'account', 'mention', 'exported'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
