import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, inject, test } from 'vitest';
import { inDatabase, query } from '../testing/database.ts';
import { openDatabase, openPool, type Connection } from './connect.ts';
import { migrate } from './migrate.ts';

/** A dump of a database that the last migration before the release had brought up, with rows in it. */
const EARLIER = gunzipSync(
  readFileSync(path.join(import.meta.dirname, '../testing/documents/database-before-release.gz')),
).toString();
/** Everything that a schema is made of, by its name; the order of columns counts, as `select *` shows it. */
const SCHEMA = `
  with tables as (
    select c.*, c.oid::regclass::text as named from pg_class c
    where relnamespace in ('public'::regnamespace, 'base'::regnamespace)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
  select 'column' as part, t.named || '.' || attname as name, concat_ws(' ', t.relkind,
      row_number() over (partition by t.oid order by attnum), format_type(atttypid, atttypmod),
      collname, attnotnull, attidentity, attgenerated, attstorage, pg_get_expr(adbin, adrelid)) as says
    from tables t join pg_attribute a on a.attrelid = t.oid and attnum > 0 and not attisdropped
    left join pg_collation l on l.oid = attcollation
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = attnum
  union all select 'table', named, concat_ws(' ', relkind, relpersistence, reloptions,
      relrowsecurity, pg_get_viewdef(oid)) from tables where relkind <> 'S' and relkind <> 'i'
  union all select 'sequence', t.named, concat_ws(' ', to_jsonb(s) - '{last_value,sequenceowner}'::text[], d.refobjid::regclass, a.attname)
    from tables t join pg_sequences s on t.oid = format('%I.%I', schemaname, sequencename)::regclass
    left join pg_depend d on d.objid = t.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  union all select 'index', i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
    from pg_index i join tables t on t.oid = i.indrelid
  union all select 'constraint', t.named || '.' || conname, pg_get_constraintdef(k.oid)
    from pg_constraint k join tables t on t.oid = k.conrelid
  union all select 'trigger', t.named || '.' || tgname, concat_ws(' ',
      -- A dump writes nested conditions without their parentheses.
      translate(pg_get_triggerdef(g.oid), '()', ''), tgenabled)
    from pg_trigger g join tables t on t.oid = g.tgrelid where not tgisinternal
  union all select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) || coalesce(proacl::text, '')
    from pg_proc p where pronamespace in ('public'::regnamespace, 'base'::regnamespace)
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select 'right', named, string_agg(privilege_type, ' ' order by privilege_type)
    from tables, aclexplode(coalesce(relacl, acldefault('r', relowner)))
    -- Unknown to the PostgreSQL that made the dump.
    where relkind in ('r', 'v') and privilege_type <> 'MAINTAIN' group by named
  union all select 'comment', t.named, description from pg_description join tables t on t.oid = objoid
  union all select 'extension', extname, '' from pg_extension
  order by 1, 2`;
/** Rows that each installation has from its start, without what differs between two. */
const SHIPPED = `
  select to_jsonb(t)::text as row from firm t
  union all select (to_jsonb(t) - '{id,updated_at}'::text[])::text from jurisdictions t
  union all select (to_jsonb(t) - '{id,jurisdiction_id,updated_at}'::text[])::text from rules t
  union all select (to_jsonb(t) - '{id,created_at,updated_at}'::text[])::text from intake_forms t
  union all select to_jsonb(t)::text from intake_settings t
  union all select (to_jsonb(t) - 'held_until')::text from text_sync t
  order by 1`;

/** The names of all migrations, in order. */
const ALL = readdirSync(path.join(import.meta.dirname, 'migrations'))
  .filter((file) => /^\d{4}-/.test(file))
  .map((file) => path.parse(file).name)
  .toSorted();

const made: string[] = [];
afterEach(async () => {
  const { server } = inject('testDatabase');
  for (const name of made.splice(0)) await query(server, `drop database ${name}`);
});

/** A database in which these statements ran. */
async function createDatabase(statements: string): Promise<Connection> {
  const { server, template } = inject('testDatabase');
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await query(server, `create database ${name}`);
  made.push(name);
  const connection = inDatabase(server, name);
  await query(connection, statements);
  return connection;
}

async function bringUp(connection: Connection): Promise<string[]> {
  const pool = openPool(connection, () => undefined);
  try {
    return await migrate(openDatabase(pool));
  } finally {
    await pool.end();
  }
}

test('a fresh database gets the schema and the rows of one from before the release', async () => {
  const [fresh, earlier] = [await createDatabase(''), await createDatabase(EARLIER)];
  expect(await bringUp(fresh)).toEqual(ALL);
  expect(await bringUp(earlier)).toEqual(ALL);
  expect(await query(fresh, SCHEMA)).toEqual(await query(earlier, SCHEMA));
  expect(await query(fresh, SHIPPED)).toEqual(await query(earlier, SHIPPED));
});

test('continues a database that has all earlier migrations, and leaves its rows alone', async () => {
  const database = await createDatabase(EARLIER);
  const rows = `
    select (select count(*)::int from users) as users, (select count(*)::int from base.cases) as cases,
      (select count(*)::int from base.tasks) as tasks, (select count(*)::int from audit_log) as entries,
      (select string_agg(encode(hash, 'hex'), '') from base.deadline_history) as hashes`;
  const before = await query(database, rows);
  expect(before).toMatchObject([{ users: 3, cases: 6, tasks: 12 }]);
  // An earlier version no longer starts on it, so that the start says that something ran.
  expect(await bringUp(database)).toEqual(ALL);
  expect(await bringUp(database)).toEqual([]);
  expect(await query(database, rows)).toEqual(before);
});

test('the baseline refuses a database that lacks one of the earlier migrations, says how to go on, and changes nothing', async () => {
  const database = await createDatabase(
    `${EARLIER}; delete from public.kysely_migration where name like '0058%'`,
  );
  const names = 'select name from kysely_migration order by name';
  const before = await query(database, names);
  await expect(bringUp(database)).rejects.toThrow(
    /^The database .*0057-sources-of-contacts.*git checkout 0f183df, start that version once, then/,
  );
  expect(await query(database, names)).toEqual(before);
});

test('a baseline that fails halfway leaves nothing behind, and is built completely later', async () => {
  const database = await createDatabase('create view hidden_subjects as select 1 as id');
  await expect(bringUp(database)).rejects.toThrow('hidden_subjects');
  const found = `select relname from pg_class
    where relnamespace = 'public'::regnamespace or relnamespace = to_regnamespace('base')`;
  expect(await query(database, found)).toEqual([{ relname: 'hidden_subjects' }]);
  await query(database, 'drop view hidden_subjects');
  expect(await bringUp(database)).toEqual(ALL);
});
