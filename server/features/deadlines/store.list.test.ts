import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { NIL_ID } from '../../core/ids.ts';
import { transact } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { countCalls, countDeadlines, listDeadlines } from './store.list.ts';

const MANY = 10_000;
const ARCHIVED = 3000;

const { app } = suite({}, { jobs: false });
let person: SignedInPerson;

beforeAll(async () => {
  const admin = await registerAdmin(app);
  person = await registerUser(app);
  // Each kind of silence: imported and never verified, verified and acknowledged, done.
  await app.pool.query(
    `insert into base.deadlines (title, kind, hard, date, time_zone, owner_id, second_id, dated_by,
        status, verified_at, acknowledged_at, effective_date, due_at, warn_days, imported)
      select 'Answer ' || n, 'response', true, '2020-01-01', 'UTC',
        case when n % 3 > 0 then $1::uuid end, case when n % 3 > 0 then $2::uuid end, $1,
        case when n % 3 = 1 then 'done' else 'open' end,
        case when n % 3 > 0 then now() end, case when n % 3 > 0 then now() end,
        '2020-01-01', case when n % 3 = 0 then timestamptz '2020-01-01' else now() + interval '1 year' end,
        '{}', n % 3 = 0
      from generate_series(1, ${MANY}) n`,
    [admin.id, person.id],
  );
  // Archived matters, each with its limitation.
  await openCase(app, admin.token, { statusType: 'Archive' });
  await app.pool.query(
    `with opened as (
      insert into base.cases overriding system value
        select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
          'serial', c.serial + n))).* from base.cases c, generate_series(1, ${ARCHIVED}) n
        returning id)
      insert into base.deadlines (case_id, title, kind, hard, date, time_zone, owner_id, dated_by, effective_date,
          due_at, warn_days)
        select id, 'Limitation', 'limitation', true, '2020-01-01', 'UTC', $1, $1, '2020-01-01', '2020-01-01', '{}'
        from opened`,
    [admin.id],
  );
  await app.pool.query('vacuum (analyze)');
});

test('what waits among many that do not is found without a look at those', async () => {
  const reader = { id: person.id, editsCalendar: true, isDualControl: true };
  const { counts, scans } = await transact(app.db, async (trx) => {
    const counts = await countCalls(trx, reader, 10_000);
    const { rows } = await sql<{ scans: number }>`
      select seq_scan::int as scans from pg_stat_xact_user_tables
      where schemaname = 'base' and relname = 'deadlines'`.execute(trx);
    return { counts, scans: rows[0]?.scans };
  });
  expect([counts, scans]).toEqual([{ waiting: 0, calls: 0 }, 0]);
});

test('open limitations of active matters are counted without a look at those of archived ones', async () => {
  const reader = { id: person.id, editsCalendar: true, isDualControl: true };
  const filter = { status: 'open', kind: 'limitation', matters: 'active' } as const;
  const { counted, before, after } = await transact(app.db, async (trx) => {
    // With what this connection read in the last second.
    const before = await rowsRead(trx, 'deadlines');
    const counted = await countDeadlines(trx, { filter, reader, cap: 10_000 });
    return { counted, before, after: await rowsRead(trx, 'deadlines') };
  });
  expect([counted, after]).toEqual([0, before]);
});

test.each([NIL_ID, 'none'])(
  'no deadlines of the matter %s are found without a look at others',
  async (id) => {
    const filter = { case: id };
    const reader = { id: person.id, editsCalendar: true, isDualControl: true };
    const { listed, counted, before, after } = await transact(app.db, async (trx) => {
      const before = await rowsRead(trx, 'deadlines');
      const listed = await listDeadlines(trx, { filter, reader, limit: 51 });
      const counted = await countDeadlines(trx, { filter, reader, cap: 10_000 });
      return { listed, counted, before, after: await rowsRead(trx, 'deadlines') };
    });
    expect([listed, counted, after]).toEqual([[], 0, before]);
  },
);
