import { beforeAll, expect, test } from 'vitest';
import { NIL_ID } from '../../../core/ids.ts';
import { transact } from '../../../db/connect.ts';
import { suite } from '../../../testing/app.ts';
import { rowsRead } from '../../../testing/rows-read.ts';
import { listAlerts } from './store.ts';

const MANY = 5000;

const { app } = suite({}, { jobs: false });

beforeAll(async () => {
  await app.pool.query(
    `insert into base.conflict_alerts (pair, case_id, name, hit, decision)
      select n, gen_random_uuid(), '{}', '{}', '{}' from generate_series(1, ${MANY}) n`,
  );
  await app.pool.query('vacuum (analyze)');
});

test.each([undefined, NIL_ID])(
  'open alerts of %s are found without a look at those that are decided',
  async (assigned) => {
    const { listed, before, after } = await transact(app.db, async (trx) => {
      const before = await rowsRead(trx, 'conflict_alerts');
      const listed = await listAlerts(trx, { isDecided: false, assigned });
      return { listed, before, after: await rowsRead(trx, 'conflict_alerts') };
    });
    expect([listed, after]).toEqual([[], before]);
  },
);
