import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase, openPool, type Pool } from '../../db/connect.ts';
import type { Scoped } from '../../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import * as store from './store.ids.ts';

const MATTERS = 20_000;
const of = { source: 'clio', kind: 'matters' } as const;

let database: TestDatabase;
let pool: Pool;
let db: Scoped;
let statements: CompiledQuery[] = [];
let importId = '';

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  const onStatement = (statement: CompiledQuery) => statements.push(statement);
  db = openDatabase(pool, { onStatement }).asSystem('tests');
  const { rows } = await pool.query<{ id: string }>(
    `with people as (
       insert into users (first_name, last_name, email, email_key, phone_number, password_hash, role, active, approved,
         permissions, search_text)
       values ('Ama', 'Owusu', 'a@firm.example', 'a@firm.example', '1', '', 'admin', true, true, '{}', '') returning id)
     insert into imports (profile, state, by_id, mapping, tables, dates)
     select 'clio', 'done', id, '{}', '{}', 'mdy' from people returning id`,
  );
  importId = rows[0]?.id ?? '';
});

/** As a move leaves them. */
function insertMatters() {
  return pool.query(
    `insert into import_ids (source, kind, external_id, id, name, names, row_hash, fields, import_id, is_made)
     select 'clio', 'matters', n, gen_random_uuid(), 'M-' || n, array['m-' || n, 'family ' || n / 2], '', '{}', $1, true
     from generate_series(1, $2::int) n`,
    [importId, MATTERS],
  );
}

afterAll(async () => {
  await pool.end();
  await database.drop();
});

// A move fills the table faster than statistics of it are taken.
test.each(['of a move that was undone', 'of its rows'])(
  'names of an import are found by their index with statistics %s, and those of two records are left out',
  async (whose) => {
    await insertMatters();
    if (whose === 'of a move that was undone') await pool.query('delete from import_ids');
    await pool.query('analyze import_ids');
    if (whose === 'of a move that was undone') await insertMatters();
    onTestFinished(async () => {
      await pool.query('delete from import_ids');
    });
    const names = Array.from({ length: 500 }, (_, n) => `m-${n * 40 + 1}`);
    statements = [];
    const found = await store.findNamed(db, of, [...names, 'family 7', 'no such name']);
    expect([...found.keys()].toSorted()).toEqual(names.toSorted());
    const [asked, ...others] = statements;
    expect(others).toEqual([]);
    const explained = CompiledQuery.raw(`explain ${asked?.sql}`, [...(asked?.parameters ?? [])]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('import_ids_by_name');
    // One name at a time: all of them as one array would be compared with those of each row.
    expect(plan).toMatch(/Index Cond: \(names @> /);
  },
);
