import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import {
  calendarRoutes,
  type EventPatch,
  type NewEvent,
  type SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { noticeRoutes, type Notice, type NoticeChange } from '@matterdesk/contract/notices.ts';
import { suite } from '../../testing/app.ts';
import {
  addEvent,
  inDays,
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, admin, ada, ben } = suite({
  admin: registerAdmin,
  ada: registerUser,
  ben: registerUser,
});

beforeEach(async () => {
  await app.pool.query('delete from notices; delete from reminders; delete from absences');
});

const add = (own: Partial<NewEvent> = {}, who = ada) => addEvent(app, who.token, own);
const patch = (id: string, body: EventPatch, scope: SeriesScope = 'this') =>
  app.call(calendarRoutes.changeEvent, {
    token: ada.token,
    params: { id },
    body,
    query: { scope },
  });
const list = async (who: SignedInPerson, query = {}) =>
  (await app.call(noticeRoutes.listNotices, { token: who.token, query })).body;
const titles = async (who: SignedInPerson) => (await list(who)).notices.map(({ title }) => title);
const change = (id: string, body: NoticeChange, who = ada, headers = {}) =>
  app.call(noticeRoutes.changeNotice, { token: who.token, params: { id }, body, headers });

type Waiting = { minutes: number; fire_at: Date | null };
async function remindersOf(id: string): Promise<Waiting[]> {
  const { rows } = await app.pool.query<Waiting>(
    'select minutes, fire_at from reminders where event_id = $1 order by minutes',
    [id],
  );
  return rows;
}

/** Makes reminders due, as if the clock had moved on. */
async function letPass(id?: string) {
  await app.pool.query(
    `update reminders set fire_at = clock_timestamp() - interval '1 second',
      set_at = clock_timestamp() - interval '1 hour' where $1::uuid is null or event_id = $1`,
    [id],
  );
}

describe('reminders of an event', () => {
  test('reach each of its people once when they are due, and their browsers', async () => {
    const { id } = await add({
      title: 'Mediation',
      reminders: [60],
      people: [ada.id, ben.id],
    });
    await app.raiseNotices();
    expect(await titles(ada)).toEqual([]);
    const socket = await app.socket(ben.token);
    const raised: Notice[] = [];
    socket.on('notice.raised', (notice) => raised.push(notice));
    await letPass(id);
    await Promise.all([app.raiseNotices(), app.raiseNotices()]);
    await app.raiseNotices();
    const { notices, unseen, total } = await list(ben);
    expect(notices).toMatchObject([
      {
        type: 'reminder',
        title: 'Mediation',
        seenAt: null,
        mailed: null,
        missed: false,
        item: { type: 'event', id, case: null, start: '2038-02-03T15:00:00.000Z' },
      },
    ]);
    expect([unseen, total]).toEqual([1, 1]);
    expect([await titles(ada), await titles(admin)]).toEqual([['Mediation'], []]);
    await expect.poll(() => raised).toEqual(notices);
  });

  test('move with it, end when it is canceled, and come back with it', async () => {
    const { id } = await add({ reminders: [60, 15] });
    const at = (time: string) => new Date(`2038-02-03T${time}:00Z`);
    expect(await remindersOf(id)).toEqual([
      { minutes: 15, fire_at: at('14:45') },
      { minutes: 60, fire_at: at('14:00') },
    ]);
    await patch(id, { start: '2038-02-03T18:00:00Z', end: '2038-02-03T19:00:00Z' });
    expect(await remindersOf(id)).toEqual([
      { minutes: 15, fire_at: at('17:45') },
      { minutes: 60, fire_at: at('17:00') },
    ]);
    await patch(id, { reminders: [60] });
    expect(await remindersOf(id)).toEqual([{ minutes: 60, fire_at: at('17:00') }]);
    await patch(id, { cancelled: true });
    expect(await remindersOf(id)).toEqual([]);
    await patch(id, { cancelled: false });
    expect(await remindersOf(id)).toHaveLength(1);
  });

  test('whose time had passed when they were set are not raised', async () => {
    const soon = new Date(Date.now() + 30 * 60_000).toISOString();
    const { id } = await add({ start: soon, end: soon, reminders: [1440, 60, 15] });
    expect((await remindersOf(id)).map(({ minutes }) => minutes)).toEqual([15]);
    await app.pool.query(`update firm set time_zone = 'America/New_York', morning = '00:00'`);
    const yesterday = inDays(-1);
    const { id: whole } = await add({ start: yesterday, end: yesterday, reminders: [0] });
    await app.raiseNotices();
    expect([await titles(ada), await remindersOf(whole)]).toEqual([[], []]);
  });

  test('follow each occurrence of a series', async () => {
    const recurrence = 'FREQ=WEEKLY;COUNT=3';
    const { id, series } = await add({ recurrence, reminders: [60], timeZone: 'Europe/London' });
    await patch(id, { start: '2038-02-03T16:00:00Z', end: '2038-02-03T17:00:00Z' }, 'all');
    const { rows } = await app.pool.query<{ fire_at: Date }>(
      `select r.fire_at from reminders r join events e on e.id = r.event_id
        where e.series_id = $1 order by 1`,
      [series],
    );
    expect(rows.map(({ fire_at: at }) => at.toISOString().slice(0, 16))).toEqual([
      '2038-02-03T15:00',
      '2038-02-10T15:00',
      '2038-02-17T15:00',
    ]);
  });

  test('of whole days follow the morning of the firm when it is changed', async () => {
    const setFirm = (body: object) => app.call(firmRoutes.changeFirm, { token: admin.token, body });
    await setFirm({ timeZone: 'America/New_York', morning: '07:30' });
    const { id } = await add({ start: '2038-03-15', end: '2038-03-16', reminders: [1440] });
    const due = async () => (await remindersOf(id))[0]?.fire_at?.toISOString();
    await app.raiseNotices();
    expect(await due()).toBe('2038-03-14T11:30:00.000Z');
    await setFirm({ timeZone: 'America/Chicago', morning: '08:00' });
    await app.raiseNotices();
    expect(await due()).toBe('2038-03-14T13:00:00.000Z');
  });

  test('that fell due while the server was off say so, and more than twenty come as one', async () => {
    const { id } = await add({ title: 'Status call', reminders: [15] });
    await letPass(id);
    await app.pool.query(`update heartbeat set at = clock_timestamp() - interval '3 days'`);
    await app.raiseNotices();
    expect((await list(ada)).notices).toMatchObject([{ title: 'Status call', missed: true }]);
    await add({ recurrence: 'FREQ=DAILY;COUNT=21', reminders: [15] }, ben);
    await letPass();
    await app.pool.query(`insert into absences (from_at, to_at)
      values (clock_timestamp() - interval '1 hour', clock_timestamp())`);
    await app.raiseNotices();
    expect((await list(ben)).notices).toMatchObject([
      { title: '21 reminders were missed while the server was off', missed: true, item: null },
    ]);
  });
});

describe('a notice', () => {
  const raiseOne = async (title = 'Call the court') => {
    const { id } = await add({ title, reminders: [15] });
    await letPass(id);
    await app.raiseNotices();
    return (await list(ada)).notices[0] ?? { id: '' };
  };

  test('is seen once, and no one else’s', async () => {
    const { id } = await raiseOne();
    const first = await change(id, { seen: true });
    expect(first).toMatchObject({ status: 200, body: { id, seenAt: expect.any(String) } });
    expect((await change(id, { seen: true })).body).toEqual(first.body);
    expect(await list(ada)).toMatchObject({ unseen: 0, total: 1 });
    const unknown = { status: 404, code: 'notFound' };
    expect(await change(id, { seen: true }, ben)).toMatchObject(unknown);
    expect(await change(randomUUID(), { seen: true })).toMatchObject(unknown);
    expect(await change(id, {})).toMatchObject({
      status: 400,
      message: 'Send seen or snooze',
    });
    expect((await change(id, { seen: false })).body.seenAt).toBeNull();
  });

  test('that is put off is raised again when its time has come, on top', async () => {
    const { id } = await raiseOne('First');
    await raiseOne('Second');
    const headers = { 'idempotency-key': 'later' };
    const replies = [await change(id, { snooze: 30 }, ada, headers)];
    replies.push(await change(id, { snooze: 30 }, ada, headers));
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    expect([await titles(ada), (await list(ada)).unseen]).toEqual([['Second'], 1]);
    await app.pool.query(`update notices set snoozed_until = clock_timestamp() where id = $1`, [
      id,
    ]);
    await app.raiseNotices();
    expect(await titles(ada)).toEqual(['First', 'Second']);
  });

  test('comes in pages, the newest first', async () => {
    for (const title of ['a', 'b', 'c']) await raiseOne(title);
    const first = await list(ada, { limit: 2 });
    const { notices } = await list(ada, { limit: 2, cursor: first.nextCursor });
    expect([...first.notices, ...notices].map(({ title }) => title)).toEqual(['c', 'b', 'a']);
    const invented = { token: ada.token, query: { cursor: 'x' } };
    expect((await app.call(noticeRoutes.listNotices, invented)).status).toBe(400);
  });

  test('of a matter ends with the access to it', async () => {
    const matter = await openCase(app, admin.token, {
      assignedUsers: [ada.id],
      SOL: '2035-01-01',
    });
    const own = { case: matter.id, reminders: [60, 15], people: [ada.id, ben.id] };
    const { id } = await add({ title: 'Behind a wall', ...own });
    await app.pool.query(
      `update reminders set fire_at = clock_timestamp(), set_at = 'epoch' where minutes = 60`,
    );
    await app.raiseNotices();
    const before = (await list(ben)).notices[0];
    expect(before?.title).toBe('Behind a wall');
    const params = { kind: 'cases', id: matter.id };
    const { body } = await app.call(accessRoutes.readAccess, { token: admin.token, params });
    const wall = { mode: 'restricted', people: [], screened: [], reason: 'Conflict' };
    const walled = { ...wall, updatedAt: body.access.updatedAt };
    const closed = { token: admin.token, params, body: walled };
    expect((await app.call(accessRoutes.changeAccess, closed)).status).toBe(200);
    expect(await list(ben)).toMatchObject({ notices: [], unseen: 0, total: 0 });
    expect((await change(before?.id ?? '', { seen: true }, ben)).status).toBe(404);
    await letPass(id);
    await app.raiseNotices();
    const { rows } = await app.pool.query('select from notices where user_id = $1', [ben.id]);
    expect([rows.length, await titles(ada)]).toEqual([1, ['Behind a wall', 'Behind a wall']]);
  });
});
