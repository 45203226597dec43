import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import type { Transaction } from '../../db/schema.ts';
import { suite } from '../../testing/app.ts';
import { addTask, openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { daysOf } from './rules.ts';
import { countTasksAcrossCases, countTasksOf, listTasksAcrossCases, listTasksOf } from './store.ts';

const MANY = 5000;

const { app } = suite({}, { jobs: false });
let userId: string;

beforeAll(async () => {
  const { token, id } = await registerAdmin(app);
  userId = id;
  const { id: other } = await registerUser(app);
  const matter = await openCase(app, token);
  // Those of one user are done, and those of another are open; they lie among each other, as they do in a firm.
  await app.pool.query(
    `insert into base.tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by,
        done_at, in_column_since)
      select $1, 'Task ' || n, '', day, day, 'intake', person, person, done_at, day
      from (select n, timestamptz '2010-01-01' + n * interval '1 day' as day
          from generate_series(1, ${MANY}) n) days,
        (values ($2::uuid, timestamptz '2020-01-01'), ($3, null)) people (person, done_at)
      order by n`,
    [matter.id, id, other],
  );
  await addTask(app, token, { case: (await openCase(app, token)).id, assignedTo: id });
  await app.pool.query('vacuum (analyze)');
});

const query = () => ({ filter: { assignedTo: userId }, days: daysOf(new Date(), 'UTC') });
const reads: [string, number, (trx: Transaction) => Promise<unknown>][] = [
  ['are listed', 1, (trx) => listTasksOf(trx, userId, 50)],
  ['are counted', 1, (trx) => countTasksOf(trx, userId)],
  ['are listed across cases', 1, (trx) => listTasksAcrossCases(trx, { ...query(), limit: 51 })],
  // In all, and by when they are due; the lower the cap, the cheaper a look at all others seems to the planner.
  ['are counted across cases', 2, (trx) => countTasksAcrossCases(trx, { ...query(), cap: 9 })],
  ['are counted up to one', 2, (trx) => countTasksAcrossCases(trx, { ...query(), cap: 1 })],
];

test.each(reads)('open tasks of a user %s without a look at others', async (_, most, read) => {
  const { before, after } = await transact(app.db, async (trx) => {
    const before = await rowsRead(trx, 'tasks');
    await read(trx);
    return { before, after: await rowsRead(trx, 'tasks') };
  });
  expect(after - before).toBeLessThanOrEqual(most);
});
