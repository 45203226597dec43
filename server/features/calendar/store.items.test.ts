import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openPool } from '../../db/connect.ts';
import type { Scoped } from '../../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { windowOf } from './rules.times.ts';
import * as store from './store.items.ts';

const EVENTS = 20_000;

let database: TestDatabase;
let db: Scoped;
let close: () => Promise<void>;
let statements: CompiledQuery[] = [];
let wanted: store.ItemQuery;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  db = openDatabase(pool, { onStatement: (statement) => statements.push(statement) }).asSystem(
    'tests',
  );
  close = () => pool.end();
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (first_name, last_name, email, email_key, phone_number, password_hash, role, active, approved,
       permissions, search_text)
     values ('Ama', 'Owusu', 'ama@firm.example', 'ama@firm.example', '1', '', 'admin', true, true, '{}', '')
     returning id`,
  );
  const reader = rows[0]?.id ?? '';
  // Four years, every fourth event of whole days.
  await pool.query(
    `insert into base.events (title, kind, all_day, wall_start, wall_end, time_zone, starts_at, ends_at, first_day,
       last_day, location, link, notes, people, guests, reminders, is_private, organizer_id, search_text)
     select 'Conference ' || n, 'meeting', n % 4 = 0, '', '', 'UTC',
       case when n % 4 > 0 then at end, case when n % 4 > 0 then at + interval '45 minutes' end,
       case when n % 4 = 0 then at::date end, case when n % 4 = 0 then at::date end,
       '', '', '', array[$1::uuid], '[]', '{}', false, $1, 'conference ' || n
     from (select n, timestamptz '2026-01-01 09:00Z' + n * interval '105 minutes' as at
       from generate_series(1, $2::int) n) events`,
    [reader, EVENTS],
  );
  await pool.query('vacuum (analyze)');
  const nothing = { people: undefined, kinds: undefined, caseId: undefined, words: undefined };
  const weeks = windowOf({ from: '2027-03-01', to: '2027-04-11' }, 'UTC');
  wanted = { ...weeks, ...nothing, reader, limit: 5000 };
});

afterAll(async () => {
  await close();
  await database.drop();
});

/** Words that no case has. */
const wordsOf = (search: string) => search.split(' ').map((word) => ({ word, caseIds: [] }));
const YEARS = windowOf({ from: '2026-01-01', to: '2029-12-31' }, 'UTC');
const queries: [string, number, () => Promise<{ id: string[] }>][] = [
  ['six weeks of times', 432, () => store.listTimed(db, wanted)],
  ['six weeks of whole days', 144, () => store.listAllDay(db, wanted)],
  [
    'a text in years of times',
    1,
    () => store.listTimed(db, { ...wanted, ...YEARS, words: wordsOf('conference 12347') }),
  ],
  [
    'a text in years of whole days',
    1,
    () => store.listAllDay(db, { ...wanted, ...YEARS, words: wordsOf('conference 12348') }),
  ],
];

test.each(queries)('a query reads %s without looking at all events', async (_, found, query) => {
  statements = [];
  expect((await query()).id).toHaveLength(found);
  const [asked, ...others] = statements;
  expect(others).toEqual([]);
  const explained = CompiledQuery.raw(`explain ${asked?.sql}`, [...(asked?.parameters ?? [])]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toContain('Seq Scan on events');
});
