import { expect, test, beforeAll } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes as routes } from '@matterdesk/contract/deadlines.ts';
import { startTestApp, suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

test('cases without a limitation get theirs beside the running server, once and silently', async () => {
  const app = await startTestApp({ jobs: false });
  const [admin, user] = [await registerAdmin(app), await registerUser(app)];
  const matter = await openCase(app, admin.token, { assignedUsers: [user.id], SOL: '2020-01-01' });
  // Cases of a time without deadlines.
  await app.pool.query(`
    insert into base.cases overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
      'serial', c.serial + n))).* from base.cases c, generate_series(1, 3) n`);
  const other = await startTestApp({ database: app.database, rounds: true });
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

const { app } = suite({});
let people: Record<'admin' | 'owner' | 'second' | 'mover', SignedInPerson>;

beforeAll(async () => {
  people = {
    admin: await registerAdmin(app),
    owner: await registerWith(app, { createCases: true }),
    second: await registerWith(app, { editCalendar: true }),
    mover: await registerWith(app, { createCases: true, editCalendar: true }),
  };
});

type Who = keyof typeof people;
const as = (who: Who, id: string) => ({ token: people[who].token, params: { id } });

async function openOwned() {
  const { admin, owner, second } = people;
  const own = { SOL: '2031-03-03', assignedUsers: [owner.id] };
  const matter = await openCase(app, admin.token, own);
  const query = { case: matter.id, kind: 'limitation' } as const;
  const listed = await app.call(routes.listDeadlines, { token: admin.token, query });
  const id = listed.body.deadlines[0]?.id ?? '';
  await app.call(routes.changeDeadline, {
    ...as('admin', id),
    body: { second: second.id },
  });
  return { matter, id };
}

async function changesOf(who: Who, id: string) {
  const notices = await noticesOf(app, people[who]);
  return notices.filter(({ item }) => item?.id === id).map(({ type, title }) => [type, title]);
}
const moveSol = (who: Who, id: string, SOL: string) =>
  app.call(caseRoutes.changeCase, { ...as(who, id), body: { SOL } });

const moved = ['change', 'Moved: Statute of limitations'];
const proposed = ['proposal', 'Change proposed: Statute of limitations'];

test('a moved SOL is a stored notice to owner and second, but not to its mover', async () => {
  const { matter, id } = await openOwned();
  const socket = await app.socket(people.owner.token);
  const raised = nextEvent(socket, 'notice.raised');
  expect((await moveSol('mover', matter.id, '2031-04-04')).status).toBe(200);
  expect(await raised).toMatchObject({ type: 'change', item: { type: 'deadline', id } });
  expect(await changesOf('owner', id)).toEqual([moved]);
  expect(await changesOf('second', id)).toEqual([moved]);
  for (const who of ['mover', 'admin'] as const) expect(await changesOf(who, id)).toEqual([]);
  await moveSol('owner', matter.id, '2031-05-05');
  expect(await changesOf('owner', id)).toEqual([moved]);
  expect(await changesOf('second', id)).toEqual([moved, moved]);
  await app.call(caseRoutes.changeCase, { ...as('mover', matter.id), body: { judge: 'Hu' } });
  expect(await changesOf('owner', id)).toEqual([moved]);
});

test('a proposed change is a notice, and so is what is decided about it, once each', async () => {
  const { id } = await openOwned();
  const verification = { date: '2031-03-03', time: null };
  expect(
    (await app.call(routes.verifyDeadline, { ...as('second', id), body: verification })).status,
  ).toBe(200);
  const body = {
    action: 'move' as const,
    date: '2031-06-06',
    time: null,
    reason: 'Tolled',
    proof: '',
  };
  expect((await app.call(routes.proposeChange, { ...as('mover', id), body })).status).toBe(200);
  expect(await changesOf('owner', id)).toEqual([proposed]);
  const decision = { accept: true, reason: '' };
  await app.call(routes.decideChange, { ...as('second', id), body: decision });
  expect(await changesOf('owner', id)).toEqual([moved, proposed]);
  expect(await changesOf('second', id)).toEqual([proposed]);
});

test('a correction by another person is a notice, and no one else’s business', async () => {
  const { id } = await openOwned();
  const stranger = await registerUser(app);
  const body = { date: '2031-03-05', reason: 'Misread' };
  await app.call(routes.changeDeadline, { ...as('mover', id), body });
  expect(await changesOf('owner', id)).toEqual([moved]);
  expect(await noticesOf(app, stranger)).toEqual([]);
});
