import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryKinds } from '@matterdesk/contract/stream.ts';
import { openDatabase, openPool, type Pool } from '../../db/connect.ts';
import type { Scoped } from '../../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import * as entries from './store.entries.ts';
import * as store from './store.ts';

const NUMBER = '+12125550101';

let database: TestDatabase;
let pool: Pool;
let db: Scoped;
let statements: CompiledQuery[] = [];
let people: string[];
let caseIds: string[];
let filter: store.Filter;

const listIds = async (text: string, values: unknown[] = []) =>
  (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ ...database.connection, max: 1 }, () => undefined);
  db = openDatabase(pool, { onStatement: (statement) => statements.push(statement) }).asSystem(
    'tests',
  );
  people = await listIds(
    `insert into users (first_name, last_name, email, email_key, phone_number, password_hash, role, active, approved,
       permissions, search_text)
     select 'Ama', 'Owusu', n || '@firm.example', n || '@firm.example', '1', '', 'admin', true, true, '{}', ''
     from generate_series(1, 2) n returning id`,
  );
  caseIds = await listIds(
    `insert into base.cases (case_name, case_no, case_no_key, status_type, status, type, judge,
       date_of_opening, managing_attorney, doi, sol, days_open, client_name, client_phone_number,
       client_email, client_address, counsel_organization, counsel_name, counsel_phone_number,
       counsel_email, counsel_address, search_text)
     select 'Case ' || n, 'B-' || n, 'b-' || n, 'Active', 'ADR', 'PI', 'Stone', '2025-01-01', 'Hopper',
       '2025-01-01', '2027-01-01', 0, 'Client', '(212) 555-0101', 'a@b.example', 'x', 'y', 'Counsel', '1',
       'c@d.example', 'z', 'case'
     from generate_series(1, 40) n returning id`,
  );
  await pool.query(
    `insert into base.entries (case_id, kind, text, search_text, at, author_id)
     select ($1::uuid[])[1 + n % 40], case n % 3 when 0 then 'call' else 'note' end, 'Said', 'said',
       now() - n * interval '1 minute', ($2::uuid[])[1 + n % 2]
     from generate_series(1, 20000) n`,
    [caseIds, people],
  );
  // Every third text is filed, each to one of the matters.
  await pool.query(
    `with texts as (
       insert into text_messages (owner_id, own_number, other_number, is_inbound, body, status, sent_at)
       select ($2::uuid[])[1 + n % 2], '+14155550100', case when n % 40 = 0 then $3 else '+1' || n % 40 end, true,
         'Yes', 'received', now() - n * interval '1 minute' from generate_series(1, 20000) n
       returning id, owner_id, serial as n)
     insert into base.filed_texts (case_id, message_id, by_id)
     select ($1::uuid[])[1 + n % 40], id, owner_id from texts where n % 3 = 0`,
    [caseIds, people, NUMBER],
  );
  await pool.query('vacuum (analyze)');
  const nothing = { people: undefined, from: undefined, to: undefined, search: undefined };
  const caseId = caseIds[0] ?? '';
  const matter = await store.findStreamed(db, caseId);
  if (!matter) throw new Error('no matter');
  filter = { ...matter, ...nothing, caseId, isWhole: false };
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const page = { limit: 51, after: undefined };
const reader = () => ({ readerId: people[0] ?? '' });

test.each<[string, () => Promise<unknown[]>]>([
  ['entries', () => entries.listEntries(db, { ...filter, kinds: entryKinds }, page)],
  ['texts', () => store.listTexts(db, filter, { ...page, ...reader() })],
  ['counts', () => store.countKept(db, filter, reader())],
])(
  'a page of the stream reads its %s without looking at those of other matters',
  async (_, read) => {
    expect(filter.parties).toEqual([{ number: NUMBER, name: 'Client' }]);
    statements = [];
    expect((await read()).length).toBeGreaterThan(2);
    const [asked, ...others] = statements;
    expect(others).toEqual([]);
    const explained = CompiledQuery.raw(`explain ${asked?.sql}`, [...(asked?.parameters ?? [])]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (?:entries|filed_texts|text_messages|stream_counts)/);
  },
);

test('the kept counts are those of the rows after entries and texts were added, moved, changed and removed', async () => {
  const same = async () => {
    for (const caseId of caseIds.slice(0, 2))
      for (const by of [undefined, people, people.slice(0, 1)]) {
        const asked = { ...filter, caseId, people: by };
        const counted = [
          ...(await entries.countEntries(db, { ...asked, kinds: entryKinds })),
          ...(await store.countTexts(db, asked, reader())),
        ];
        expect(sumsOf(await store.countKept(db, asked, reader()))).toEqual(sumsOf(counted));
      }
  };
  await same();
  const [here, there] = caseIds;
  for (const change of [
    `insert into base.entries (case_id, kind, text, search_text, at, author_id)
       select $1, 'memo', 'More', 'more', now(), author_id from base.entries where case_id = $2`,
    `update base.entries set case_id = $2 where case_id = $1 and kind = 'call'`,
    `update base.entries set text = 'Changed' where case_id = any(array[$1, $2]::uuid[])`,
    `delete from base.entries where case_id = $2 and kind = 'note' and $1::uuid is not null`,
    `insert into base.filed_texts (case_id, message_id, by_id)
       select $1, message_id, by_id from base.filed_texts where case_id = $2 on conflict do nothing`,
    `delete from base.filed_texts where case_id = $2 and $1::uuid is not null`,
  ]) {
    await pool.query(change, [here, there]);
    await same();
  }
});

function sumsOf(counts: readonly store.WrittenCount[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { kind, n } of counts) if (n > 0) sums[kind] = (sums[kind] ?? 0) + n;
  return sums;
}
