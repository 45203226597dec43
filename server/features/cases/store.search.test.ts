import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, openPool, transact } from '../../db/connect.ts';
import type { Scoped } from '../../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { newCase } from '../../testing/factories.ts';
import { MAX_COUNTED } from './rules.search.ts';
import { toRow } from './rules.ts';
import { CaseSearches, type CaseSearch } from './service.search.ts';
import { insertManyCases } from './store.ts';

const ACTOR = { id: randomUUID() };
const [OLD, NEW] = [MAX_COUNTED + 500, 4000];

let database: TestDatabase;
let db: Scoped;
let close: () => Promise<void>;
let sent: CompiledQuery[] = [];

/** All old cases have the judge Blackwood, and none of the new ones; those have Whitlock. */
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  const onStatement = (statement: CompiledQuery) => sent.push(statement);
  db = openDatabase(pool, { onStatement }).asSystem('tests');
  close = () => pool.end();
  await plant(OLD, 'Hon. Ada Blackwood');
  await plant(NEW, 'Hon. Ida Whitlock');
  await pool.query('vacuum (analyze)');
}, 120_000);
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await close();
  await database.drop();
});

async function plant(count: number, judge: string) {
  const rows = Array.from({ length: count }, () => ({
    ...toRow(newCase({ judge }), new Date()),
    id: randomUUID(),
  }));
  await transact(db, async (trx) => {
    for (let start = 0; start < count; start += 500)
      await insertManyCases(trx, rows.slice(start, start + 500));
  });
}

async function countStatements(searching: CaseSearch, search: string) {
  sent = [];
  const { rows, matches } = await searching.find({ search }, { limit: 51 });
  return {
    statements: sent.length,
    judges: new Set(rows.map((row) => (JSON.parse(row.written) as { judge: string }).judge)),
    matches,
  };
}

test('a search for a common word that the newest cases lack sends one statement once it is known', async () => {
  const searches = new CaseSearches();
  const find = async () => countStatements(await searches.of(db, ACTOR), 'blackwood');
  const found = { judges: new Set(['Hon. Ada Blackwood']), matches: MAX_COUNTED };
  const first = await find();
  expect(first).toMatchObject(found);
  expect(first.statements).toBeGreaterThan(1);
  // The estimate of a scan looked at too few cases once.
  await find();
  expect(await find()).toEqual({ ...found, statements: 1 });
});

test('a search knows for a minute how much a user sees', async () => {
  const searches = new CaseSearches();
  sent = [];
  for (let n = 0; n < 3; n += 1) await searches.of(db, ACTOR);
  expect(sent).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  await searches.of(db, ACTOR);
  expect(sent).toHaveLength(2);
});

test('a search for a common word of the newest cases sends one statement once it is known', async () => {
  const searches = new CaseSearches();
  const find = async () => countStatements(await searches.of(db, ACTOR), 'whitlock');
  await find();
  const found = { judges: new Set(['Hon. Ida Whitlock']), matches: NEW };
  expect(await find()).toEqual({ ...found, statements: 1 });
});
