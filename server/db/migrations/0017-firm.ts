import { sql, type Kysely } from 'kysely';

/** The settings of the firm, in a single row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firm (
      is_only boolean primary key default true check (is_only),
      name text not null default '',
      -- Null until an admin chooses; the server's own until then.
      time_zone text,
      morning text not null default '07:30' check (morning ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      dual_control boolean not null default true,
      second_factor text not null default 'optional'
        check (second_factor in ('optional', 'admins', 'everyone')),
      idle_minutes int not null default 720 check (idle_minutes between 5 and 1440)
    )`.execute(db);
  await sql`insert into firm default values`.execute(db);
}
