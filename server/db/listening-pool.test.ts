import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { openPool } from './connect.ts';
import { listeningPool } from './listening-pool.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function open() {
  const pool = openPool({ ...database.connection, max: 2 }, () => undefined);
  const options = { listening: pool, channel: 'test', onListening: () => undefined };
  return { pool, shared: listeningPool(pool, options) };
}

test('the pool releases the place of a connection that breaks while it is kept', async () => {
  const { pool, shared } = open();
  for (let round = 0; round < 4; round += 1) {
    const kept = await shared.pool.connect();
    const broken = new Promise<void>((resolve) => kept.once('end', () => resolve()));
    await kept.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    await broken;
  }
  await eventually(() => expect(pool.totalCount).toBe(0));
  shared.close();
  await pool.end();
});

test('listens on the pool that reaches the database itself', async () => {
  const { pool } = open();
  const direct = openPool({ ...database.connection, max: 2 }, () => undefined);
  const options = { listening: direct, channel: 'test', onListening: () => undefined };
  const shared = listeningPool(pool, options);
  const kept = await shared.pool.connect();
  const received = new Promise((resolve) =>
    kept.once('notification', ({ payload }) => resolve(payload)),
  );
  await shared.pool.query(`select pg_notify('test', 'news')`);
  expect(await received).toBe('news');
  expect([direct.totalCount, pool.totalCount]).toEqual([1, 1]);
  shared.close();
  await pool.end();
  await direct.end();
});

test('the pool ends kept and opening connections when it closes', async () => {
  const { pool, shared } = open();
  await shared.pool.connect();
  const granted = vi.fn<() => void>();
  void shared.pool.connect().then(granted);
  shared.close();
  await pool.end();
  expect(pool.totalCount).toBe(0);
  void shared.pool.connect().then(granted, granted);
  expect(granted).not.toHaveBeenCalled();
});

test('the pool leaves returned connections alone', async () => {
  const { pool, shared } = open();
  (await shared.pool.connect()).release();
  await shared.pool.query('select 1');
  shared.close();
  expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('the pool sends notifications that wait together, in their order', async () => {
  const { pool, shared } = open();
  const received: unknown[] = [];
  const listening = await shared.pool.connect();
  listening.on('notification', ({ payload }) => received.push(payload));
  const query = vi.spyOn(pool, 'query');
  const payloads = Array.from({ length: 600 }, (_, n) => `n${n}`);
  const all = payloads.map((payload) =>
    shared.pool.query('SELECT pg_notify($1, $2)', ['test', payload]),
  );
  await Promise.all([...all, shared.pool.query('select 1')]);
  await shared.pool.query('SELECT pg_notify($1, $2)', ['test', 'last']);
  await eventually(() => expect(received).toEqual([...payloads, 'last']));
  expect(query).toHaveBeenCalledTimes(4);
  shared.close();
  await pool.end();
});
