import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { openPool } from './connect.ts';
import { lendPool } from './lend.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function open() {
  const pool = openPool({ ...database.connection, max: 2 }, () => undefined);
  const options = { listening: pool, channel: 'test', onListening: () => undefined };
  return { pool, lent: lendPool(pool, options) };
}

test('the pool releases the place of a connection that breaks while it is lent', async () => {
  const { pool, lent } = open();
  for (let round = 0; round < 4; round += 1) {
    const kept = await lent.pool.connect();
    const broken = new Promise<void>((resolve) => kept.once('end', () => resolve()));
    await kept.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    await broken;
  }
  await eventually(() => expect(pool.totalCount).toBe(0));
  lent.revoke();
  await pool.end();
});

test('listens on the pool that reaches the database itself', async () => {
  const { pool } = open();
  const direct = openPool({ ...database.connection, max: 2 }, () => undefined);
  const options = { listening: direct, channel: 'test', onListening: () => undefined };
  const lent = lendPool(pool, options);
  const kept = await lent.pool.connect();
  const received = new Promise((resolve) =>
    kept.once('notification', ({ payload }) => resolve(payload)),
  );
  await lent.pool.query(`select pg_notify('test', 'news')`);
  expect(await received).toBe('news');
  expect([direct.totalCount, pool.totalCount]).toEqual([1, 1]);
  lent.revoke();
  await pool.end();
  await direct.end();
});

test('the pool ends kept and opening connections with the loan', async () => {
  const { pool, lent } = open();
  await lent.pool.connect();
  const granted = vi.fn<() => void>();
  void lent.pool.connect().then(granted);
  lent.revoke();
  await pool.end();
  expect(pool.totalCount).toBe(0);
  void lent.pool.connect().then(granted, granted);
  expect(granted).not.toHaveBeenCalled();
});

test('the pool leaves returned connections alone', async () => {
  const { pool, lent } = open();
  (await lent.pool.connect()).release();
  await lent.pool.query('select 1');
  lent.revoke();
  expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('the pool sends notifications that wait together, in their order', async () => {
  const { pool, lent } = open();
  const received: unknown[] = [];
  const listening = await lent.pool.connect();
  listening.on('notification', ({ payload }) => received.push(payload));
  const query = vi.spyOn(pool, 'query');
  const payloads = Array.from({ length: 600 }, (_, n) => `n${n}`);
  const all = payloads.map((payload) =>
    lent.pool.query('SELECT pg_notify($1, $2)', ['test', payload]),
  );
  await Promise.all([...all, lent.pool.query('select 1')]);
  await lent.pool.query('SELECT pg_notify($1, $2)', ['test', 'last']);
  await eventually(() => expect(received).toEqual([...payloads, 'last']));
  expect(query).toHaveBeenCalledTimes(4);
  lent.revoke();
  await pool.end();
});
