import pg from 'pg';
import type { Connection } from './embedded/connections.ts';
import { APP } from './embedded/cluster.ts';

const TABLES = ['audit_log', 'audit_seals'];

/**
 * Takes the audit log from the application's role: it can read and add, and nothing else. The owner of a schema can drop
 * its tables, so the database passes to the superuser as well.
 */
const GUARD = `
  do $$
  declare name text; columns text;
  begin
    execute format('alter database %I owner to current_user', current_database());
    execute format('grant connect, create, temporary on database %I to ${APP}', current_database());
    grant usage, create on schema public to ${APP};
    alter function refuse_change() owner to current_user;
    foreach name in array array['${TABLES.join("', '")}'] loop
      execute format('alter table %I owner to current_user', name);
      execute format('revoke all on %I from public, ${APP}', name);
      execute format('grant select on %I to ${APP}', name);
      -- Without the id, which only the database chooses.
      select string_agg(format('%I', attname), ', ') into columns from pg_attribute
        where attrelid = name::regclass and attnum > 0 and not attisdropped and attname <> 'id';
      execute format('grant insert (%s) on %I to ${APP}', columns, name);
    end loop;
  end $$`;

/** For the time of the migrations, which the application's role runs. */
const RELEASE = `
  do $$
  declare name text;
  begin
    foreach name in array array['${TABLES.join("', '")}'] loop
      if to_regclass(name) is not null then execute format('alter table %I owner to ${APP}', name); end if;
    end loop;
    if to_regproc('refuse_change') is not null then alter function refuse_change() owner to ${APP}; end if;
  end $$`;

/** Runs migrations, between which and the next ones the application's role can only read the audit log and add to it. */
export async function guardAudit<T>(
  superuser: Connection,
  migrateAll: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...superuser, database: APP });
  // Without a listener, a database that is stopped meanwhile would crash the process; the next statement rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(RELEASE);
    const result = await migrateAll();
    await client.query(GUARD);
    return result;
  } finally {
    await client.end();
  }
}
