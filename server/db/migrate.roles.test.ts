import { sql } from 'kysely';
import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { startForeignPostgres, type ForeignPostgres } from '../testing/foreign-postgres.ts';
import { openDatabase, openPool, type Connection, type Pool, UNLIMITED } from './connect.ts';
import { migrate } from './migrate.ts';

/** As another installation has them. */
const OTHERS = ['jit = on', 'random_page_cost = 4', "timezone = 'America/New_York'"];

let postgres: ForeignPostgres;
const pools: Pool[] = [];

beforeAll(async () => {
  postgres = await startForeignPostgres();
  const admin = open({});
  const roles = ['create role desk login', 'create role guest', 'grant guest to desk'];
  const databases = ['desk', 'other', 'third'].map((name) => `create database ${name} owner desk`);
  for (const statement of [...roles, ...databases]) await admin.query(statement);
  for (const database of ['desk', 'other', 'third'])
    await open({ database, user: 'postgres' }).query('create extension pg_trgm');
  for (const setting of OTHERS) await admin.query(`alter role desk set ${setting}`);
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
afterAll(() => postgres.drop());

function open({
  database = 'postgres',
  user = 'postgres',
  ...own
}: Connection & { database?: string; user?: string }): Pool {
  const { hostname, port } = new URL(postgres.url);
  const pool = openPool(
    { host: hostname, port: Number(port), database, user, ...own },
    () => undefined,
  );
  pools.push(pool);
  return pool;
}

async function settingsOf(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${['jit', 'random_page_cost', 'statement_timeout', 'TimeZone']})`.execute(
    openDatabase(pool),
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

test('the product gives a database that others run the settings of the embedded one, for this connection and later ones', async () => {
  const pool = open({ database: 'desk', user: 'desk', max: 1 });
  expect(await settingsOf(pool)).toMatchObject({ jit: 'on', TimeZone: 'America/New_York' });
  const said: string[] = [];
  await migrate(openDatabase(pool), (line) => said.push(line));
  expect(said.toSorted()).toEqual([]);
  // An administrator chose the cost of a page.
  const expected = {
    jit: 'off',
    TimeZone: 'UTC',
    random_page_cost: '4',
    statement_timeout: '30000',
  };
  for (const one of [pool, open({ database: 'desk', user: 'desk' })])
    expect(await settingsOf(one)).toEqual(expected);
  // The role keeps its own settings in other databases.
  expect(await settingsOf(open({ database: 'third', user: 'desk' }))).toMatchObject({ jit: 'on' });
});

test('the product sets the limits of time where a pooler drops those that a connection asks for', async () => {
  const dropped = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const pool = open({ database: 'desk', user: 'desk', ...dropped });
  await migrate(openDatabase(pool));
  const later = open({ database: 'desk', user: 'desk', ...dropped });
  expect(await settingsOf(later)).toMatchObject({ statement_timeout: '30000' });
  const patient = open({ database: 'desk', user: 'desk', statement_timeout: UNLIMITED });
  expect(await settingsOf(patient)).toMatchObject({ statement_timeout: String(UNLIMITED) });
});

test('the product says what an administrator has to run when the role may not choose, and migrates all the same', async () => {
  const pool = open({ database: 'other', user: 'desk', options: '-c role=guest' });
  await open({ database: 'other' }).query(
    'grant all on schema public to guest; grant all on database other to guest',
  );
  const said: string[] = [];
  const ran = await migrate(openDatabase(pool), (line) => said.push(line));
  expect(ran.length).toBeGreaterThan(0);
  expect(said.toSorted()).toEqual([
    expect.stringContaining('alter role "desk" in database "other" set "TimeZone" = \'UTC\''),
    expect.stringContaining('alter role "desk" in database "other" set "jit" = \'off\''),
  ]);
});
