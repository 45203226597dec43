import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openDatabase, openPool, transact } from './connect.ts';
import type { Executor } from './schema.ts';
import { liftScope, SYSTEM } from './scoped-query.ts';

const [ADA, BOB] = [
  { id: '11111111-1111-4111-8111-111111111111' },
  { id: '22222222-2222-4222-8222-222222222222' },
];

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that a scope that stayed behind would be found.
  pool = openPool({ ...database.connection, max: 1 }, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function scopeSeen(db: Executor): Promise<string | null> {
  const { rows } = await sql<{ actor: string | null }>`
    select base.actor() as actor where ${1}::int = 1`.execute(db);
  return rows[0]?.actor ?? null;
}

describe.each([true, false])('a scope, with prepared statements: %s,', (isPrepared) => {
  const open = () => openDatabase(pool, { isPrepared });

  test('holds for one statement', async () => {
    const db = open();
    for (let round = 0; round < 5; round += 1) {
      expect(await scopeSeen(db.as(ADA))).toBe(ADA.id);
      expect(await scopeSeen(db)).toBe(null);
      expect(await scopeSeen(db.as(BOB))).toBe(BOB.id);
      expect(await scopeSeen(db.asSystem('test'))).toBe(SYSTEM);
    }
  });

  test('holds for a transaction, to its end', async () => {
    const db = open();
    const inside = await transact(db.as(ADA), async (trx) => {
      const first = await scopeSeen(trx);
      await sql`savepoint one`.execute(trx);
      await sql`select 1/0`.execute(trx).catch(() => undefined);
      await sql`rollback to savepoint one`.execute(trx);
      return [first, await scopeSeen(trx)];
    });
    expect(inside).toEqual([ADA.id, ADA.id]);
    expect(await scopeSeen(db)).toBe(null);
  });

  test('can be lifted for the rest of a transaction', async () => {
    const db = open();
    const after = await transact(db.as(ADA), async (trx) => {
      await liftScope(trx, 'test');
      return scopeSeen(trx);
    });
    expect([after, await scopeSeen(db.as(ADA))]).toEqual([SYSTEM, ADA.id]);
  });

  test('does not outlive a statement that failed', async () => {
    const db = open();
    await expect(sql`select 1/0 as none`.execute(db.as(ADA))).rejects.toThrow('division by zero');
    await expect(sql`select no such column`.execute(db.as(ADA))).rejects.toThrow('syntax error');
    expect(await scopeSeen(db)).toBe(null);
    expect(await scopeSeen(db.as(BOB))).toBe(BOB.id);
  });

  test('returns the rows and the count of its own statement alone', async () => {
    const db = open().as(ADA);
    expect((await sql`select n from generate_series(1, 3) n`.execute(db)).rows).toHaveLength(3);
    expect((await sql`select 1 where ${false}`.execute(db)).rows).toEqual([]);
    const { numAffectedRows } = await sql`delete from attempts where key = ${'nothing'}`.execute(
      db,
    );
    expect(numAffectedRows).toBe(0n);
  });
});

test('without a scope, matters are out of reach', async () => {
  await sql`insert into base.cases (case_name, case_no, case_no_key, status_type, status, type, judge,
      date_of_opening, managing_attorney, doi, sol, days_open, client_name, client_phone_number,
      client_email, client_address, counsel_organization, counsel_name, counsel_phone_number,
      counsel_email, counsel_address, search_text)
    values ('a', 'a', 'a', 'Active', 'ADR', 'PI', 'a', '2026-01-01', 'a', '2026-01-01', '2026-01-01', 0,
      'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a')`.execute(openDatabase(pool));
  const db = openDatabase(pool);
  const names = (executor: Executor) => executor.selectFrom('cases').select('case_name').execute();
  expect(await names(db)).toEqual([]);
  expect(await names(db.as(ADA))).toHaveLength(1);
  expect(await names(db.asSystem('test'))).toHaveLength(1);
});
