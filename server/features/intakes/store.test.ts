import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import { addIntake, registerAdmin } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { countIntakes, listIntakes } from './store.ts';

const CLOSED = 5000;

const { app } = suite({}, { jobs: false });
let id: string;

beforeAll(async () => {
  await app.pool.query(
    `insert into base.intakes (name, description, next_step, response_due_at, search_text, stage, closed_at)
      select 'Person ' || n, '', '', now(), '', 'declined', now() from generate_series(1, ${CLOSED}) n`,
  );
  ({ id } = await addIntake(app, (await registerAdmin(app)).token));
  await app.pool.query('vacuum (analyze)');
});

test('open intakes are listed and counted without a look at those that are closed', async () => {
  const filter = { stage: ['new' as const, 'contacted' as const], isSpam: false };
  const { listed, counted, before, after } = await transact(app.db, async (trx) => {
    const before = await rowsRead(trx, 'intakes');
    const listed = await listIntakes(trx, filter, { limit: 51, after: [] });
    const counted = await countIntakes(trx, filter);
    return { listed, counted, before, after: await rowsRead(trx, 'intakes') };
  });
  expect([listed.map((row) => row.id), counted, after - before]).toEqual([[id], 1, 2]);
});
