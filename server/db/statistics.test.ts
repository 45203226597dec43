import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { openDatabase, openPool, type Pool } from './connect.ts';
import type { Database } from './schema.ts';
import { analyzeChanged } from './statistics.ts';

let database: TestDatabase;
let pool: Pool;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  db = openDatabase(pool);
  await pool.query('create table base.growing (n int primary key)');
});

afterAll(async () => {
  await pool.query('drop table base.growing');
  await pool.end();
  await database.drop();
});

const known = async () => {
  const { rows } = await pool.query<{ rows: number; since: number; times: number }>(
    `select greatest(c.reltuples, 0)::int as rows, s.n_mod_since_analyze::int as since, s.analyze_count::int as times
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = 'growing'`,
  );
  return rows[0];
};
const add = (from: number, to: number) =>
  pool.query('insert into base.growing select * from generate_series($1::int, $2::int)', [
    from,
    to,
  ]);

test('a table is analyzed once a fifth of it is new, and not before', async () => {
  await add(1, 1000);
  // Changes of a connection are counted within a second.
  await eventually(async () => {
    await analyzeChanged(db);
    expect(await known()).toEqual({ rows: 1000, since: 0, times: 1 });
  });
  await add(1001, 1200);
  await eventually(async () => expect(await known()).toMatchObject({ since: 200 }));
  await analyzeChanged(db);
  expect(await known()).toEqual({ rows: 1000, since: 200, times: 1 });
  await add(1201, 2000);
  await eventually(async () => {
    await analyzeChanged(db);
    expect(await known()).toEqual({ rows: 2000, since: 0, times: 2 });
  });
});
