import { beforeAll, expect, test } from 'vitest';
import { deadlineRoutes, type NewDeadline } from '@matterdesk/contract/deadlines.ts';
import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { suite } from '../../../testing/app.ts';
import {
  addDeadline,
  inDays,
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';

const { app } = suite({});
let people: Record<'admin' | 'owner' | 'second', SignedInPerson>;

beforeAll(async () => {
  people = {
    admin: await registerAdmin(app),
    owner: await registerUser(app),
    second: await registerUser(app),
  };
});

const add = (own: Partial<NewDeadline>) =>
  addDeadline(app, people.admin.token, {
    hard: true,
    owner: people.owner.id,
    second: people.second.id,
    ...own,
  });
const read = async (id: string) =>
  (await app.call(deadlineRoutes.readDeadline, { token: people.admin.token, params: { id } })).body;
const actions = async (id: string) =>
  (await read(id)).history.map(({ action }) => action).filter((action) => action !== 'seen');
const warningsOf = async (who: keyof typeof people, deadlineId: string) =>
  (await noticesOf(app, people[who])).filter(({ item }) => item?.id === deadlineId);
/** Moves the last warning back, as if time had passed since. */
async function letPass(id: string, hours: number) {
  await app.pool.query(
    `update deadline_warnings set look_at = clock_timestamp(),
      warned_at = warned_at - make_interval(hours => $2) where deadline_id = $1`,
    [id, hours],
  );
  await app.raiseNotices();
}

test('the server warns the owner of a near deadline at once, and escalates until it is acknowledged', async () => {
  const { id } = await add({ title: 'Answer', date: inDays(20) });
  await Promise.all([app.raiseNotices(), app.raiseNotices()]);
  const [warning] = await warningsOf('owner', id);
  expect(warning).toMatchObject({ type: 'warning', item: { type: 'deadline', case: null } });
  expect(warning?.title).toMatch(/^Answer is due in (19|20|21) days$/);
  // The days count from the notice, though the threshold lay before the deadline was added.
  expect((warning?.at ?? '') >= (await read(id)).updatedAt).toBe(true);
  expect(await warningsOf('second', id)).toEqual([]);
  await letPass(id, 25);
  expect(await warningsOf('second', id)).toMatchObject([{ type: 'escalation' }]);
  await letPass(id, 25);
  expect(await warningsOf('admin', id)).toMatchObject([{ type: 'escalation' }]);
  expect(await actions(id)).toEqual(['escalated', 'escalated', 'warned', 'created']);
  const { history } = await read(id);
  const { firstName, lastName } = people.second;
  expect(
    history.find(({ action }, index) => action === 'escalated' && index > 1)?.to,
  ).toMatchObject({
    people: [{ id: people.second.id, firstName, lastName }],
  });
  await app.call(deadlineRoutes.acknowledgeDeadline, {
    token: people.owner.token,
    params: { id },
  });
  await letPass(id, 100);
  expect(await actions(id)).toHaveLength(5);
  const params = { id: warning?.id ?? '' };
  const seen = { token: people.owner.token, params, body: { seen: true } };
  await app.call(noticeRoutes.changeNotice, seen);
  expect((await actions(id))[0]).toBe('noticed');
});

test('a warning is no longer new once its deadline is done, also one that was put off', async () => {
  const own = { hard: false, second: null, date: inDays(2) };
  const ids = [(await add(own)).id, (await add(own)).id];
  await app.raiseNotices();
  const warnings = async () =>
    Promise.all(ids.map(async (id) => (await warningsOf('owner', id))[0]));
  const [now, later] = await warnings();
  expect(now).toMatchObject({ type: 'warning', seenAt: null });
  const { token } = people.owner;
  const params = { id: later?.id ?? '' };
  await app.call(noticeRoutes.changeNotice, { token, params, body: { snooze: 30 } });
  const body = { action: 'complete', reason: 'Filed' };
  for (const id of ids)
    await app.call(deadlineRoutes.proposeChange, { token, params: { id }, body });
  await app.pool.query(
    `update notices set snoozed_until = clock_timestamp() where snoozed_until is not null`,
  );
  await app.raiseNotices();
  const seen = { seenAt: expect.any(String) };
  expect(await warnings()).toMatchObject([seen, seen]);
});

test('begins anew when the date moves, and asks for another acknowledgment', async () => {
  const { id } = await add({ date: inDays(25) });
  await app.call(deadlineRoutes.acknowledgeDeadline, {
    token: people.owner.token,
    params: { id },
  });
  expect((await read(id)).acknowledged).not.toBeNull();
  await app.raiseNotices();
  expect((await read(id)).acknowledged).toBeNull();
  const body = { date: inDays(10), reason: 'Misread' };
  await app.call(deadlineRoutes.changeDeadline, {
    token: people.owner.token,
    params: { id },
    body,
  });
  await app.raiseNotices();
  expect(await warningsOf('owner', id)).toHaveLength(2);
});

test('the server says that the server was off, and keeps it in the history', async () => {
  const { id } = await add({ date: inDays(40) });
  await app.raiseNotices();
  await app.pool.query(`update heartbeat set at = clock_timestamp() - interval '400 days'`);
  await app.pool.query(
    `update base.deadlines set warn_days = '{60}' where id = $1`.replace('base.', ''),
    [id],
  );
  await app.raiseNotices();
  expect(await warningsOf('owner', id)).toMatchObject([{ missed: true }]);
  expect((await actions(id)).slice(0, 2)).toEqual(['warned', 'serverOff']);
  const [, off] = (await read(id)).history.filter(({ action }) => action !== 'seen');
  expect(off).toMatchObject({ by: null, to: { from: expect.any(String), to: expect.any(String) } });
  await app.pool.query('delete from absences');
});

test('the server does not say that the server was off before the deadline was added, or moved', async () => {
  await app.pool.query(`insert into absences (from_at, to_at)
    values (clock_timestamp() - interval '400 days', clock_timestamp() - interval '1 minute')`);
  const added = await add({ date: inDays(5) });
  const moved = await add({ date: inDays(300) });
  await app.raiseNotices();
  const body = { date: inDays(5), reason: 'Misread' };
  const params = { id: moved.id };
  await app.call(deadlineRoutes.changeDeadline, { token: people.admin.token, params, body });
  await app.raiseNotices();
  for (const { id } of [added, moved]) {
    expect(await actions(id)).toContain('warned');
    expect(await actions(id)).not.toContain('serverOff');
    expect(await warningsOf('owner', id)).toMatchObject([{ missed: false }]);
  }
  await app.pool.query('delete from absences');
});

test('the server tells owners of imported limitations once, and no one else', async () => {
  const { admin, owner } = people;
  for (const SOL of [inDays(50), inDays(80)])
    await openCase(app, admin.token, { SOL, assignedUsers: [owner.id] });
  await app.pool.query(`update deadlines set imported = true where kind = 'limitation'`);
  await app.raiseNotices();
  const titles = (await noticesOf(app, owner)).map(({ title }) => title);
  const about = 'Limitations of existing matters are coming up';
  expect(titles.filter((title) => title === about)).toHaveLength(1);
  expect(titles.filter((title) => title.startsWith('Statute'))).toEqual([]);
  // Imports a whole firm in several transactions.
  await app.pool.query(`
    insert into base.cases overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', n,
      'serial', 1000000 + n))).* from base.cases c, generate_series(1, 1200) n
    where c.id = (select id from base.cases order by serial desc limit 1)`);
  await app.pool.query(
    `insert into base.case_assignments (case_id, user_id, position)
      select id, $1, 0 from base.cases where serial > 1000000`,
    [owner.id],
  );
  await app.importLimitations();
  await app.raiseNotices();
  const { rows } = await app.pool.query(`
    select (select count(*)::int from notices where title ilike '%limitation%') as notices,
      (select count(*)::int from deadlines d join deadline_warnings w on w.deadline_id = d.id
        where d.imported and w.warned_days is not null) as warned`);
  expect(rows).toEqual([{ notices: 1, warned: 1202 }]);
});
