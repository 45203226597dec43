import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, openPool, type Connection } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { Queue } from '../jobs/queue.ts';
import { createLog } from '../log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Server for test databases, the template to copy, and a stopped cluster with the newest schema unless the
     * server is external.
     */
    testDatabase: { server: Connection; template: string; cluster?: string | undefined };
  }
}

export type TestDatabase = { connection: Connection; drop: () => Promise<void> };

/** Unused databases of this worker: emptying one costs a fraction of copying it. */
const spare: TestDatabase[] = [];

/** An empty database with the newest schema. Tests undo their schema changes. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const kept = spare.pop();
  if (kept) return kept;
  const { server, template } = inject('testDatabase');
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await query(server, `create database ${name} template ${template}`);
  const connection = inDatabase(server, name);
  const database: TestDatabase = {
    connection,
    async drop() {
      await empty(connection);
      spare.push(database);
    },
  };
  return database;
}

/**
 * Ends all connections, deletes every row except migrations, and counts anew. One statement deletes from all tables,
 * since foreign keys are checked at its end; large tables are truncated.
 */
async function empty(connection: Connection): Promise<void> {
  await query(
    connection,
    `do $$
    declare kept record; large text; deletions text;
    begin
      perform pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid();
      create temporary table kept_tables on commit drop as
        select oid::regclass::text as name, pg_relation_size(oid) as size,
          exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as is_guarded,
          not has_table_privilege(oid, 'delete') as is_kept
        from pg_class c where relnamespace in ('public'::regnamespace, 'base'::regnamespace, 'jobs'::regnamespace) and relkind = 'r'
          and relname not in ('kysely_migration', 'kysely_migration_lock', 'version', 'queue');
      select string_agg(name, ', ') into large from kept_tables where size > 1000000;
      -- A truncation also reaches empty tables.
      create temporary table guarded on commit drop as
        select name, is_kept from kept_tables where is_guarded and (size > 0 or large is not null);
      -- Some tables refuse to lose a row.
      for kept in select * from guarded loop
        execute 'alter table ' || kept.name || ' disable trigger user';
        execute 'grant delete, truncate on ' || kept.name || ' to current_user';
      end loop;
      if large is not null then execute 'truncate ' || large || ' cascade'; end if;
      select string_agg(format('d%s as (delete from %s)', n, name), ', ') into deletions
        from (select row_number() over () as n, name from kept_tables where size > 0) as numbered;
      execute 'with ' || deletions || ' select';
      for kept in select * from guarded loop
        execute 'alter table ' || kept.name || ' enable trigger user';
        if kept.is_kept then execute 'revoke delete, truncate on ' || kept.name || ' from current_user'; end if;
      end loop;
      perform setval(name, coalesce(last_value, 1), last_value is not null) from shipped.sequences;
      insert into text_sync default values;
      ${shipped.map((table) => `insert into ${table} table shipped.${table};`).join(' ')}
    end $$`,
  );
}

/** Tables whose rows come with the migrations. */
const shipped = [
  'firm',
  'jurisdictions',
  'rules',
  'intake_forms',
  'intake_settings',
  'name_counts',
];

/** Values of sequences after the migrations: a used database numbers its rows like a new one. */
const sequences = `create table shipped.sequences as
  select format('%I.%I', schemaname, sequencename)::regclass as name, last_value
  from pg_sequences where schemaname in ('public', 'base')`;

/** A migrated template database: copying takes a fraction of migrating. */
export async function createTemplate(server: Connection) {
  const name = `matterdesk_test_${randomBytes(6).toString('hex')}`;
  await query(server, `create database ${name}`);
  const connection = inDatabase(server, name);
  await migrateAll(connection);
  const copies = shipped.map((table) => `create table shipped.${table} as table ${table}`);
  copies.push(sequences);
  await query(connection, `create schema shipped; ${copies.join('; ')}`);
  return { name, drop: () => dropWithCopies(server, name) };
}

/** Migrates a database, its queue included. */
export async function migrateAll(connection: Connection): Promise<void> {
  // Failed statements reject by themselves; a closing connection may also report the server's end.
  const pool = openPool(connection, () => undefined);
  await migrate(openDatabase(pool));
  const queue = new Queue(pool, { log: createLog('silent'), isAlone: false });
  await queue.start();
  await queue.stop();
  await pool.end();
}

/** Fills a DATA_DIR with the database of a first start, which is its slowest step. */
export function copyCluster(dataDir: string): void {
  const { cluster } = inject('testDatabase');
  if (cluster === undefined) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  execFileSync('cp', ['--archive', cluster, path.join(dataDir, 'postgres')]);
}

/** One statement on its own connection, without the product’s limit of its time: a busy machine takes longer. */
export async function query<Row extends pg.QueryResultRow>(
  connection: Connection,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...connection, options: '-c statement_timeout=0' });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

export function inDatabase(server: Connection, database: string): Connection {
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

const NOT_PERMITTED = '42501';

async function dropWithCopies(server: Connection, template: string): Promise<void> {
  const all = `select datname from pg_database where starts_with(datname, '${template}')`;
  for (const { datname } of await query<{ datname: string }>(server, all)) {
    try {
      await query(server, `drop database if exists ${datname} with (force)`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_PERMITTED) throw error;
      // An autovacuum is running there, which only the milder form may end.
      await query(server, `drop database if exists ${datname}`);
    }
  }
}

/** Tables that hold a word in any row or in the samples that their statistics keep, as a dump or a copy of them would. */
export async function tracesOf(pool: pg.Pool, word: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'base', 'jobs')
     union all select 'pg_catalog.pg_stats'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const query = `select 1 from ${name} t where t::text ilike $1 limit 1`;
    if ((await pool.query(query, [`%${word}%`])).rowCount) found.push(name);
  }
  return found;
}
