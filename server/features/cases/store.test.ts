import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openPool, transact } from '../../db/connect.ts';
import type { Scoped } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { newCase } from '../../testing/factories.ts';
import { Random } from '../../testing/random.ts';
import { toRow } from './rules.ts';
import { CaseSearch } from './service.search.ts';
import { listSorted, orderOf } from './store.sorted.ts';
import {
  insertManyCases,
  type CaseFilter,
  countByStatusType,
  listCases,
  listLimitations,
  listNewest,
} from './store.ts';

const CASES = 4000;

let database: TestDatabase;
let db: Scoped;
let close: () => Promise<void>;
/** Newest first. */
let all: { serial: string; status_type: string; search_text: string }[];
let statements: CompiledQuery[];

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  db = openDatabase(pool, { onStatement: (statement) => statements.push(statement) }).asSystem(
    'tests',
  );
  close = () => pool.end();
  statements = [];
  await plantFirm();
  await pool.query('vacuum (analyze)');
  all = await db
    .selectFrom('cases')
    .select(['serial', 'status_type', 'search_text'])
    .orderBy('serial', 'desc')
    .execute();
});

afterAll(async () => {
  await close();
  await database.drop();
});

const first = 'Amara Noor Tomás Ingrid Søren Lucía Óscar Zeynep Émile Håkon Jürgen Šárka'.split(
  ' ',
);
const last =
  'Abara Delgado Kowalczyk Nguyễn Haddad Brandt Yılmaz Sørensen Müller O’Connell Nakamura Żeromski'.split(
    ' ',
  );
const others = [
  'Northline Freight',
  'Café Lumière Holdings',
  'Mercy Valley Medical Center',
  'Bello',
];

/** One matter in nine is active; the newest is the last. */
function inventCase(random: Random, n: number) {
  const client = `${random.pick(first)} ${random.pick(last)}`;
  const day = (most: number) =>
    new Date(Date.UTC(2019, 0, random.whole(1, most))).toISOString().slice(0, 10);
  const isActive = random.isLucky(1 / 9);
  return newCase({
    caseName: `${random.pick(last)} v. ${random.pick(others)}`,
    caseNo: `2026-CV-${n + 10_000}`,
    statusType: isActive ? 'Active' : 'Archive',
    status: random.pick(['Pre-List', 'Litigation', 'ADR'] as const),
    type: random.pick(['PI', 'Civil', 'Med-Mal'] as const),
    dateOfOpening: day(2800),
    SOL: day(4000),
    daysOpen: isActive ? 0 : random.whole(1, 900),
    assignedUsers: [],
    clientInfo: {
      name: client,
      phoneNumber: `1 212 555 01${random.whole(10, 99)}`,
      email: `${fold(client).replaceAll(/[^a-z]/g, '.')}@example.com`,
      address: `${random.whole(1, 980)} ${random.pick(['Elm Street', 'Königsallee', 'Quarry Lane'])}`,
    },
  });
}

async function plantFirm() {
  const random = new Random(7);
  const cases = Array.from({ length: CASES }, (_, n) => inventCase(random, n));
  Object.assign(cases[1500] ?? {}, { caseName: '100%_\\ of Øl & 日本 v. O’Zqj' });
  const now = new Date();
  const rows = cases.map((input) => ({ ...toRow(input, now), id: randomUUID() }));
  await transact(db, async (trx) => {
    for (let start = 0; start < CASES; start += 500)
      await insertManyCases(trx, rows.slice(start, start + 500));
  });
}

const holdsAll = (text: string, search: string) =>
  search.split(/\s+/).every((word) => text.includes(fold(word)));

function hitsOf({ search = '', statusType }: CaseFilter) {
  const isOfStatus = (status: string) => statusType === undefined || status === statusType;
  return all
    .filter((row) => isOfStatus(row.status_type) && holdsAll(row.search_text, search))
    .map((row) => row.serial);
}

const terms = String.raw`
  a E q 日 % _ \ & ' : | 9 é
  ow Øl qj 日本 %_ _\ 'x v. zz 99 55 O’
  100% %%% 100%_\ abara Nguyễn LITIGATION 2026-cv-11499 6-CV-1149 cv-114 cv-2026-11499
  @example @example.com o.o@e zzqx`
  .trim()
  .split(/\s+/)
  .concat('. ', ' m', 'a b', 'litigation abara', 'v. 2026 o', 'zzqx litigation');

test.each(terms)(
  'the search finds exactly the cases that contain %j, newest first',
  async (search) => {
    for (const statusType of [undefined, 'Active', 'Archive'] as const) {
      const expected = hitsOf({ search, statusType });
      const searching = new CaseSearch(db);
      const first = await searching.find({ search, statusType }, { limit: 30 });
      expect(first.matches).toBe(expected.length);
      expect(first.rows.map((row) => row.serial)).toEqual(expected.slice(0, 30));
      const after = all[1000]?.serial ?? '';
      const deep = await searching.find({ search, statusType }, { limit: 30, after });
      const older = expected.filter((serial) => BigInt(serial) < BigInt(after));
      expect(deep.matches).toBe(expected.length);
      expect(deep.rows.map((row) => row.serial)).toEqual(older.slice(0, 30));
    }
  },
);

/** Pieces of what is searched, from one to a dozen characters. */
function inventTerms(count: number): string[] {
  const random = new Random(11);
  const terms: string[] = [];
  while (terms.length < count) {
    const letters = [...(all[random.whole(0, all.length - 1)]?.search_text ?? '')];
    const start = random.whole(0, letters.length - 1);
    const [term] = letters
      .slice(start, start + random.whole(1, 12))
      .join('')
      .split('\n');
    if (term) terms.push(term);
  }
  return terms;
}

test('the search finds what a plain scan finds, page by page', async () => {
  const searching = new CaseSearch(db);
  for (const search of inventTerms(40)) {
    const expected = hitsOf({ search });
    const found: string[] = [];
    for (let after: string | undefined; ; after = found.at(-1)) {
      const { rows, matches } = await searching.find({ search }, { limit: 700, after });
      expect(matches).toBe(expected.length);
      found.push(...rows.map((row) => row.serial));
      if (rows.length < 700) break;
    }
    expect(found).toEqual(expected);
  }
});

const queries: [string, () => Promise<unknown>][] = [
  ['the newest', () => listNewest(db, {}, { limit: 50 })],
  ['the newest of a status', () => listNewest(db, { statusType: 'Archive' }, { limit: 50 })],
  ['a deep page', () => listNewest(db, {}, { limit: 50, after: all[3000]?.serial })],
  ['the newest with the total', () => listCases(db, {}, { limit: 50 })],
  ['the totals of each status', () => countByStatusType(db)],
  [
    'statutes of limitations',
    () => listLimitations(db, { from: '2026-01-01', to: '2026-01-20', limit: 50 }),
  ],
  ...(['sol', '-sol', 'caseName', '-caseName', 'daysOpen', '-daysOpen'] as const).map(
    (sort): [string, () => Promise<unknown>] => [
      `the cases by ${sort}`,
      () =>
        listSorted(
          db,
          { statusType: 'Active' },
          {
            ...orderOf(sort),
            limit: 50,
            after: undefined,
          },
        ),
    ],
  ),
  ['a rare term', () => new CaseSearch(db).find({ search: '2026-cv-11499' }, { limit: 50 })],
  ['a term without hits', () => new CaseSearch(db).find({ search: 'zzqx' }, { limit: 50 })],
  ['a rare pair of characters', () => new CaseSearch(db).find({ search: 'qj' }, { limit: 50 })],
  ['a rare character', () => new CaseSearch(db).find({ search: '%' }, { limit: 50 })],
  ['a common term', () => new CaseSearch(db).find({ search: 'litigation' }, { limit: 50 })],
  ['rare words', () => new CaseSearch(db).find({ search: '11499 2026-cv' }, { limit: 50 })],
  ['long and short words', () => new CaseSearch(db).find({ search: 'zzqx qj' }, { limit: 50 })],
  ['short words', () => new CaseSearch(db).find({ search: 'qj zq' }, { limit: 50 })],
  ['a common character', () => new CaseSearch(db).find({ search: 'e' }, { limit: 50 })],
];

test.each(queries)('the search reads %s without a sequential scan', async (_, query) => {
  statements = [];
  await query();
  const asked = [...statements];
  expect(asked.length).toBeGreaterThan(0);
  for (const statement of asked) {
    const explained = CompiledQuery.raw(`explain ${statement.sql}`, [...statement.parameters]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on cases');
  }
});
