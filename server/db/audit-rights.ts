import pg from 'pg';
import { type Connection, APP } from './embedded/connections.ts';
import { sealedNames, sealedTable } from './sealed-tables.ts';

/** May erase the history of an intake, and nothing else; no one signs in as it. */
const ERASER = 'eraser';
const ERASE = 'base.erase_history_of_intake(uuid,boolean)';
const ERASURES = 'base.intake_erasures';
/** Columns that the database fills in. */
const CHOSEN = ['id', 'salt', 'reason_hash'];

const tables = ['audit_seals', ...sealedNames.map((name) => sealedTable(name).table)];
/** The owner of a trigger function could replace it. */
const functions = [
  'refuse_change()',
  'base.stamp_entry()',
  'base.stamp_access_entry()',
  'base.keep_unless_erased()',
  'base.number_conflict_check()',
  'base.chain_conflict_entries()',
  'base.hash_of_conflict_entry(base.conflict_entries,bytea)',
  'base.chain_deadline_history()',
  'base.hash_of_deadline_entry(base.deadline_history,bytea)',
];

/**
 * Takes the audit log and the histories from the application's role: it can read and add, and nothing else. The owner
 * of a schema can drop its tables, so the schema and the database pass to the superuser as well.
 */
const GUARD = `
  do $$
  declare name text; columns text;
  begin
    execute format('alter database %I owner to current_user', current_database());
    execute format('grant connect, create, temporary on database %I to ${APP}', current_database());
    alter schema base owner to current_user;
    grant usage, create on schema public, base to ${APP};
    foreach name in array array[${listed(functions)}] loop
      execute format('alter function %s owner to current_user', name);
    end loop;
    foreach name in array array[${listed(tables)}] loop
      execute format('alter table %s owner to current_user', name);
      execute format('revoke all on %s from public, ${APP}', name);
      execute format('grant select on %s to ${APP}', name);
      select string_agg(format('%I', attname), ', ') into columns from pg_attribute
        where attrelid = name::regclass and attnum > 0 and not attisdropped
          and attname <> all(array[${listed(CHOSEN)}]);
      if name <> '${ERASURES}' then execute format('grant insert (%s) on %s to ${APP}', columns, name); end if;
    end loop;
    if not exists (select from pg_roles where rolname = '${ERASER}') then create role ${ERASER} nologin; end if;
    grant usage on schema base to ${ERASER};
    grant select, delete on base.intake_entries to ${ERASER};
    grant select, delete, update (reason, salt, reason_hash) on base.intake_access_history to ${ERASER};
    grant select, insert (intake_id, entries, walls) on ${ERASURES} to ${ERASER};
    alter function ${ERASE} owner to ${ERASER};
    revoke execute on function ${ERASE} from public;
    grant execute on function ${ERASE} to ${APP};
    -- What was erased leaves their files, and the samples that the planner keeps.
    grant maintain on base.intake_entries, base.intake_access_history, pg_catalog.pg_statistic to ${APP};
  end $$`;

/** Gives everything back while the application's role runs migrations. */
const RELEASE = `
  do $$
  declare name text;
  begin
    if to_regnamespace('base') is not null then alter schema base owner to ${APP}; end if;
    foreach name in array array[${listed(tables)}] loop
      if to_regclass(name) is not null then execute format('alter table %s owner to ${APP}', name); end if;
    end loop;
    foreach name in array array[${listed([...functions, ERASE])}] loop
      if to_regprocedure(name) is not null then execute format('alter function %s owner to ${APP}', name); end if;
    end loop;
  end $$`;

function listed(names: string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
/** Runs migrations; after them, the application's role can only read the audit log and add to it. */
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
