import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import type { Transaction } from '../../db/schema.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { findByName, findByNumber, findByParties, MAX_SHARING } from './store.references.ts';

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

const CASES = 3000;
const COUNSEL = 30;

beforeAll(async () => {
  const { id } = await openCase(app, admin.token);
  await app.pool.query(
    `insert into base.cases overriding system value
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'serial', c.serial + n,
        'case_no_key', 'n ' || n, 'case_name', 'Name ' || n, 'client_email', n || '@client.example',
        'client_name', 'Client ' || n, 'counsel_email', n % ${COUNSEL} || '@counsel.example'))).*
      from base.cases c, generate_series(1, ${CASES}) n where c.id = $1`,
    [id],
  );
  await app.pool.query('vacuum (analyze)');
});

/** The cases that the transaction has read. */
async function readSoFar(trx: Transaction): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where schemaname = 'base' and relname = 'cases'`.execute(trx);
  return rows[0]?.read ?? 0;
}

/** Words that no case has, as in most letters. */
const others = Array.from({ length: 500 }, (_, n) => `other ${n}`);

test('a letter reads the cases that it refers to, and none of the others', async () => {
  const { found, read } = await transact(app.db, async (trx) => {
    const before = await readSoFar(trx);
    const byNumber = await findByNumber(trx, [...others, 'n 7', 'n 8']);
    const byName = await findByName(trx, [...others, 'name 9']);
    const byParties = await findByParties(trx, {
      emails: [...others, '10@client.example', '3@counsel.example'],
      names: [...others, 'client 11'],
    });
    const found = [byNumber, byName, ...byParties.values()].map(({ length }) => length);
    return { found, read: (await readSoFar(trx)) - before };
  });
  expect(found).toEqual([2, 1, 1, MAX_SHARING + 1, 1, 0]);
  expect(read).toBeLessThan(2 * MAX_SHARING);
});

test('each case of a person has all the clues of the letter', async () => {
  const people = { emails: ['10@client.example', '10@counsel.example'], names: [] };
  const found = await transact(app.db, (trx) => findByParties(trx, people));
  expect(found.get('clientEmail')).toMatchObject([
    { clientEmail: true, counselEmail: true, clientName: false },
  ]);
  expect(found.get('counselEmail')).toHaveLength(MAX_SHARING + 1);
});
