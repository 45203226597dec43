import { beforeAll, expect, test } from 'vitest';
import { NIL_ID } from '../../../core/ids.ts';
import { transact } from '../../../db/connect.ts';
import { suite } from '../../../testing/app.ts';
import { rowsRead } from '../../../testing/rows-read.ts';
import { countChecks, listChecks } from './store.ts';

const MANY = 5000;

const { app } = suite({}, { jobs: false });

beforeAll(async () => {
  await app.pool.query(
    `insert into base.conflict_checks (number, case_id, intake_id, names, with_texts, searched, hits, search_text)
      select n, case when n % 2 = 0 then gen_random_uuid() end, case when n % 2 = 1 then gen_random_uuid() end,
        '[]', false, '[]', '[]', ''
      from generate_series(1, ${MANY}) n`,
  );
  await app.pool.query('vacuum (analyze)');
});

test.each([{ caseId: NIL_ID }, { intakeId: NIL_ID }, { caseId: 'none' }])(
  'checks of %j are found without a look at others',
  async (filter) => {
    const { listed, counted, before, after } = await transact(app.db, async (trx) => {
      const before = await rowsRead(trx, 'conflict_checks');
      const listed = await listChecks(trx, filter, { limit: 51 });
      const counted = await countChecks(trx, filter);
      return { listed, counted, before, after: await rowsRead(trx, 'conflict_checks') };
    });
    expect([listed, counted, after]).toEqual([[], 0, before]);
  },
);
