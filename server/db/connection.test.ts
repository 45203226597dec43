import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openDatabase, openPool, transact, type Pool } from './connect.ts';
import { sendLater } from './connection.ts';
import type { Database } from './schema.ts';

let database: TestDatabase;
let pool: Pool;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ ...database.connection, max: 1 }, () => undefined);
});
beforeEach(() => {
  db = openDatabase(pool);
});
afterAll(async () => {
  await pool.query('drop table if exists sample');
  await pool.end();
  await database.drop();
});

async function preparedTexts(text: string): Promise<string[]> {
  const found = await pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements where starts_with(statement, $1)',
    [text],
  );
  return found.rows.map((row) => row.statement);
}

async function repeat(times: number, work: (n: number) => Promise<unknown>) {
  for (let n = 0; n < times; n += 1) await work(n);
}

test('a connection prepares a statement that is repeated, once for each connection', async () => {
  const run = (n: number) => sql`select 'again', ${n}::int`.execute(db);
  await repeat(2, run);
  expect(await preparedTexts("select 'again'")).toEqual([]);
  await repeat(5, run);
  expect(await preparedTexts("select 'again'")).toHaveLength(1);
});

test('a connection prepares what reads without parameters, unless it may be several statements', async () => {
  await repeat(5, () => sql`select 'constant'`.execute(db));
  expect(await preparedTexts("select 'constant'")).toHaveLength(1);
  await repeat(5, () => sql`select 'one'; select 'two'`.execute(db));
  expect(await preparedTexts("select 'one'")).toEqual([]);
});

test('a connection prepares nothing when it is told not to', async () => {
  const plain = openDatabase(pool, { isPrepared: false });
  await repeat(5, (n) => sql`select 'plain', ${n}::int`.execute(plain));
  expect(await preparedTexts("select 'plain'")).toEqual([]);
});

test('plans searches for their own terms', async () => {
  await repeat(5, () => sql`select 'term' like ${'%e%'}`.execute(db));
  expect(await preparedTexts("select 'term'")).toEqual([]);
});

test('a connection keeps few of many texts, and the server too', async () => {
  await repeat(400, async (n) => {
    const text = sql`select 'many', ${sql.lit(n)} + ${n}::int`;
    await repeat(3, () => text.execute(db));
  });
  expect(await preparedTexts("select 'many'")).toHaveLength(300);
});

async function reshapeWhilePrepared(): Promise<void> {
  await pool.query('drop table if exists sample');
  await pool.query('create table sample (id int)');
  await pool.query('insert into sample values (1)');
  await repeat(5, () => sql`select * from sample where id = ${1}`.execute(db));
  await pool.query('alter table sample add column name text');
}

test('a connection reads on after another process has changed the columns of a table', async () => {
  await reshapeWhilePrepared();
  const { rows } = await sql`select * from sample where id = ${1}`.execute(db);
  expect(rows).toEqual([{ id: 1, name: null }]);
});

test('a connection repeats a transaction that has met changed columns, from its start', async () => {
  await reshapeWhilePrepared();
  let attempts = 0;
  const found = await transact(db, async (trx) => {
    attempts += 1;
    await sql`insert into sample values (2)`.execute(trx);
    return sql`select * from sample where id = ${1}`.execute(trx);
  });
  expect(found.rows).toEqual([{ id: 1, name: null }]);
  expect(attempts).toBe(2);
  const { rows } = await sql`select id from sample order by id`.execute(db);
  expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test('begins a transaction again that has met changed columns in its first statement', async () => {
  await reshapeWhilePrepared();
  let attempts = 0;
  await transact(db, async (trx) => {
    attempts += 1;
    const { rows } = await sql`select * from sample where id = ${1} for update`.execute(trx);
    expect(rows).toHaveLength(1);
  });
  expect(attempts).toBe(1);
});

/** Round trips until a work's end, by the packets that leave. */
async function countPackets(work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const { stream } = client.connection;
  let packets = 0;
  const uncork = stream.uncork.bind(stream);
  stream.uncork = () => {
    uncork();
    if (stream.writableCorked === 0) packets += 1;
  };
  client.release();
  await work();
  stream.uncork = uncork;
  return packets;
}

const insert = (id: number) => sql`insert into sample (id) values (${id})`;

test('a connection sends the begin with the first statement, and what no one reads with the next', async () => {
  await reshapeWhilePrepared();
  const packets = await countPackets(() =>
    transact(db, async (trx) => {
      await insert(7).execute(trx);
      await sendLater(trx, insert(8).compile(trx));
    }),
  );
  expect(packets).toBe(2);
  const { rows } = await sql`select id from sample where id > 6 order by id`.execute(db);
  expect(rows).toEqual([{ id: 7 }, { id: 8 }]);
});

test('a connection sends a part of very many statements that no one reads, so that others have their turn', async () => {
  await reshapeWhilePrepared();
  let turns = 0;
  const packets = await countPackets(() =>
    transact(db, async (trx) => {
      setImmediate(() => (turns += 1));
      for (let id = 100; id < 220; id += 1) await sendLater(trx, insert(id).compile(trx));
      expect(turns).toBe(1);
    }),
  );
  expect(packets).toBe(3);
  const { rows } = await sql`select count(*)::int as n from sample where id >= 100`.execute(db);
  expect(rows).toEqual([{ n: 120 }]);
});

test('a connection sends long statements that no one reads at once, so that others have their turn', async () => {
  await reshapeWhilePrepared();
  const name = 'n'.repeat(60_000);
  const packets = await countPackets(() =>
    transact(db, async (trx) => {
      for (let id = 300; id < 304; id += 1) {
        const insertion = sql`insert into sample (id, name) values (${id}, ${name})`;
        await sendLater(trx, insertion.compile(trx));
      }
    }),
  );
  // Two of them at once, twice, and the commit.
  expect(packets).toBe(3);
  const { rows } = await sql`select count(*)::int as n from sample where id >= 300`.execute(db);
  expect(rows).toEqual([{ n: 4 }]);
});

test('commits nothing when a statement fails that no one waited for', async () => {
  await reshapeWhilePrepared();
  const failing = transact(db, async (trx) => {
    await insert(9).execute(trx);
    await sendLater(trx, CompiledQuery.raw('insert into sample (id) values (1 / 0)'));
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await expect(insert(10).execute(db)).resolves.toMatchObject({ numAffectedRows: 1n });
  const { rows } = await sql`select id from sample where id > 6 order by id`.execute(db);
  expect(rows).toEqual([{ id: 10 }]);
});

test('a connection sends nothing for a transaction that fails before its first statement', async () => {
  const packets = await countPackets(async () => {
    const failing = transact(db, () => Promise.reject(new Error('at once')));
    await expect(failing).rejects.toThrow('at once');
  });
  expect(packets).toBe(0);
});
