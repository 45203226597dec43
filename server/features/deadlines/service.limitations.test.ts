import { expect, test } from 'vitest';
import { deadlineRoutes as routes } from '@matterdesk/contract/deadlines.ts';
import { startTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, registerUser } from '../../testing/factories.ts';

test('cases without a limitation get theirs beside the running server, once and silently', async () => {
  const app = await startTestApp({ jobs: false });
  const [admin, user] = [await registerAdmin(app), await registerUser(app)];
  const matter = await openCase(app, admin.token, { assignedUsers: [user.id], SOL: '2020-01-01' });
  // Cases of a time without deadlines.
  await app.pool.query(`
    insert into base.cases overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
      'serial', c.serial + n))).* from base.cases c, generate_series(1, 3) n`);
  const other = await startTestApp({ database: app.database });
  const list = async () =>
    (await other.call(routes.listDeadlines, { token: admin.token, query: { kind: 'limitation' } }))
      .body;
  await eventually(async () => expect((await list()).total).toBe(4));
  const { deadlines, counts } = await list();
  const imported = deadlines.filter((one) => one.imported);
  expect(imported).toHaveLength(3);
  expect(imported[0]).toMatchObject({ date: '2020-01-01', owner: null, verified: null });
  // Late ones are counted only once someone has verified them.
  expect(counts).toMatchObject({ overdue: 1, limitation: 4 });
  const { body } = await other.call(routes.readDeadline, {
    token: admin.token,
    params: { id: imported[0]?.id ?? '' },
  });
  expect(body.history.map(({ action, by }) => [action, by?.id ?? null])).toEqual([
    ['seen', admin.id],
    ['imported', null],
  ]);
  expect(matter.SOL).toBe('2020-01-01');
  await other.close();
  await app.close();
});

test('a case that another transaction holds gets its limitation as soon as it is free', async () => {
  const app = await startTestApp({ jobs: false });
  const admin = await registerAdmin(app);
  await openCase(app, admin.token, { assignedUsers: [admin.id] });
  await app.pool.query(`
    insert into base.cases overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
      'serial', c.serial + n))).* from base.cases c, generate_series(1, 2) n`);
  const others = await app.pool.connect();
  await others.query('begin');
  await others.query(`select from base.cases where case_no_key = '2' for no key update`);
  const imported = app.importLimitations();
  const limited = async () =>
    (
      await app.pool.query<{ key: string }>(`
        select c.case_no_key as key from base.cases c join base.deadlines d on d.case_id = c.id
        where d.imported order by 1`)
    ).rows.map(({ key }) => key);
  await eventually(async () => expect(await limited()).toEqual(['1']));
  await others.query('commit');
  others.release();
  await imported;
  expect(await limited()).toEqual(['1', '2']);
  await app.close();
});
