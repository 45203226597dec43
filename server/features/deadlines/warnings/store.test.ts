import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../../db/connect.ts';
import { suite } from '../../../testing/app.ts';
import { registerAdmin } from '../../../testing/factories.ts';
import { rowsRead } from '../../../testing/rows-read.ts';
import { lockDue } from './store.ts';

const MANY = 3000;

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

beforeAll(async () => {
  await app.pool.query(
    `insert into base.deadlines (title, kind, hard, date, time_zone, owner_id, dated_by, effective_date,
        due_at, warn_days)
      select 'Answer ' || n, 'response', true, '2120-01-01', 'UTC', $1, $1, '2120-01-01',
        '2120-01-01', '{}'
      from generate_series(1, ${MANY}) n`,
    [admin.id],
  );
  await app.pool.query(`update base.deadline_warnings set look_at = now() + interval '1 year'`);
  await app.pool.query('vacuum (analyze)');
});

test('deadlines that are due for a look are found without a look at those that wait', async () => {
  const { due, before, after } = await transact(app.db, async (trx) => {
    const before = await rowsRead(trx, 'deadline_warnings');
    const due = await lockDue(trx, MANY);
    return { due, before, after: await rowsRead(trx, 'deadline_warnings') };
  });
  expect([due, after]).toEqual([[], before]);
});
