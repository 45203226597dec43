import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { findFew } from './store.list.ts';

const MANY = 3000;

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

beforeAll(async () => {
  const { id } = await openCase(app, admin.token);
  await app.pool.query(
    `with added as (
      insert into base.contacts (kind, name, name_key, keys, search_text)
        select 'person', 'Ebert ' || n, 'ebert ' || n, '{}', 'ebert ' || n
        from generate_series(1, ${MANY}) n returning id)
      insert into base.parties (case_id, contact_id, role) select $1, id, 'witness' from added`,
    [id],
  );
  await app.pool.query(
    `insert into base.contacts (kind, name, name_key, keys, search_text)
      values ('person', 'Жук', 'жук', '{}', 'жук')`,
  );
  await app.pool.query('vacuum (analyze)');
});

test('contacts with rare words and a role are found without a look at all in the role', async () => {
  const { found, before, after } = await transact(app.db, async (trx) => {
    const before = await rowsRead(trx, 'parties');
    const found = await findFew(trx, { role: 'witness', words: ['zwick'] });
    return { found, before, after: await rowsRead(trx, 'parties') };
  });
  expect([found, after]).toEqual([[], before]);
});

test('a letter that many contacts have is left to a walk by name, and a rare one is found', async () => {
  const few = await transact(app.db, (trx) =>
    Promise.all(['E', 'ж'].map((letter) => findFew(trx, { words: [letter] }))),
  );
  expect(few).toEqual([undefined, [expect.any(String)]]);
});
