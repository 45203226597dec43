import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import { addIntake, registerAdmin } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { listDuplicates } from './store.contacts.ts';
import { lockIntake } from './store.ts';

const MANY = 5000;

const { app } = suite({}, { jobs: false });
let id: string;

beforeAll(async () => {
  await app.pool.query(
    `insert into base.intakes (name, email, phone_number, description, next_step, response_due_at, search_text)
      select 'Person ' || n, 'person' || n || '@client.example', '+1 212 555 ' || 1000 + n, '', '', now(), ''
      from generate_series(1, ${MANY}) n`,
  );
  await app.pool.query('vacuum (analyze)');
  ({ id } = await addIntake(app, (await registerAdmin(app)).token, {
    email: 'denise@client.example',
  }));
});

test('an intake that is like no other is compared without a look at all of them', async () => {
  const { found, before, after } = await transact(app.db, async (trx) => {
    const row = await lockIntake(trx, id);
    const before = await rowsRead(trx, 'intakes');
    const found = row && (await listDuplicates(trx, row));
    return { found, before, after: await rowsRead(trx, 'intakes') };
  });
  // Itself, by its address, its number and its name.
  expect([found, after - before]).toEqual([[], 1]);
});
