import { expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { countSorted, listSorted, orderOf } from './store.sorted.ts';

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

const CASES = 3000;

test('a list of a person’s cases reads no case again for each other, even with statistics from amid an import', async () => {
  const { id } = await openCase(app, admin.token, { assignedUsers: [admin.id] });
  const importing = await app.pool.connect();
  await importing.query('begin');
  await importing.query(
    `insert into base.cases overriding system value
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'serial', c.serial + n,
        'case_no_key', 'n ' || n))).*
      from base.cases c, generate_series(1, ${CASES}) n where c.id = $1`,
    [id],
  );
  // As the database does by itself: it counts the pages, but no rows that are not committed.
  await app.pool.query('analyze base.cases');
  await importing.query('commit');
  importing.release();
  await app.pool.query('analyze base.case_assignments');
  const { ids, counted, read } = await transact(app.context.db.as(admin), async (trx) => {
    const before = await rowsRead(trx, 'cases');
    const page = { ...orderOf('newest'), limit: 201, after: undefined };
    const rows = await listSorted(trx, { assigned: admin.id }, page);
    const counted = await countSorted(trx, { assigned: admin.id });
    return {
      ids: rows.map((row) => row.id),
      counted,
      read: (await rowsRead(trx, 'cases')) - before,
    };
  });
  expect([ids, counted]).toEqual([[id], 1]);
  // Once by the list and once by the count, at most.
  expect(read).toBeLessThan(3 * CASES);
});
