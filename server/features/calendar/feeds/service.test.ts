import ICAL from 'ical.js';
import ical from 'node-ical';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import {
  exchangeRoutes,
  FEEDS_MAX,
  feedRoutes,
  type NewFeed,
} from '@matterdesk/contract/calendar-exchange.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { suite } from '../../../testing/app.ts';
import {
  addEvent,
  inDays,
  openCase,
  openUnfiledCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';

const { app } = suite({});
let admin: SignedInPerson;
let ada: SignedInPerson;

beforeAll(async () => {
  [admin, ada] = [await registerAdmin(app), await registerUser(app)];
});

const noonIn = (days: number) => `${inDays(days)}T12:00:00.000Z`;

async function feed(own: Partial<NewFeed> = {}, by = ada) {
  const body = { name: 'Mine', people: [by.id], ...own };
  const reply = await app.call(feedRoutes.addFeed, { token: by.token, body });
  expect(reply.status).toBe(201);
  return { ...reply.body, path: new URL(reply.body.url).pathname };
}
const read = (path: string, headers = {}) => app.request(path, { headers });

/** Events by uid, as two independent parsers agree on them. */
async function eventsOf(path: string) {
  const { text, status, headers } = await read(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const lines = text.split('\r\n');
  expect(lines.every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n'))).toBe(true);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const first = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  const second = ical.sync.parseICS(text);
  return new Map(
    first.map((event) => {
      const other = second[event.uid];
      if (other?.type !== 'VEVENT') throw new Error(`the second parser lacks ${event.uid}`);
      const { startDate, endDate, component, summary, location, description } = event;
      const [start, end] = [startDate, endDate].map((time) => time.toJSDate());
      // The second parser reads days where it runs.
      const instants = [other.start.getTime(), other.end?.getTime()];
      const read = startDate.isDate ? instants : [start?.getTime(), end?.getTime()];
      expect(instants).toEqual(read);
      expect([other.summary, Number(other.sequence)]).toEqual([summary, event.sequence]);
      const status = String(component.getFirstPropertyValue('status'));
      expect(other.status).toBe(status);
      const span = [startDate, endDate].map(String);
      return [event.uid, { summary, location, description, span, status, text }] as const;
    }),
  );
}

describe('a feed', () => {
  test('names a matter that is not filed yet without a number', async () => {
    const bea = await registerUser(app);
    const matter = await openUnfiledCase(app, admin.token);
    const on = { case: matter.id, title: 'Client meeting', start: noonIn(3), end: noonIn(4) };
    const uid = `${(await addEvent(app, bea.token, on)).id}@matterdesk`;
    const full = await eventsOf((await feed({ detail: 'full' }, bea)).path);
    expect(full.get(uid)?.description).toBe(matter.caseName);
    const brief = await eventsOf((await feed({ detail: 'brief' }, bea)).path);
    expect(brief.get(uid)?.summary).toMatch(/^[A-Z][a-z ]+$/);
  });

  test('has each occurrence as an event in UTC, days without an hour, and lines of 75 bytes', async () => {
    const { path, url } = await feed({ detail: 'full' });
    expect(url).toMatch(/\/api\/v1\/calendar\/feed\/[\w-]{43}\.ics$/);
    const matter = await openCase(app, admin.token, { caseNo: '24-CV-0117' });
    const title = `Hearing, “${'é'.repeat(60)}”; \\ and more`;
    const notes = 'First line\nSecond; line, with signs\n\tand a tab';
    const one = await addEvent(app, ada.token, {
      title,
      notes,
      case: matter.id,
      location: 'Room 4, 1 Main St',
      start: noonIn(3),
      end: noonIn(4),
    });
    const days = await addEvent(app, ada.token, { start: inDays(5), end: inDays(6) });
    const weekly = await addEvent(app, ada.token, {
      title: 'Docket call',
      start: noonIn(7),
      end: noonIn(7),
      recurrence: 'FREQ=DAILY;COUNT=3',
    });
    const found = await eventsOf(path);
    expect(found.size).toBe(5);
    const first = found.get(`${one.id}@matterdesk`);
    expect(first).toMatchObject({ summary: title, location: 'Room 4, 1 Main St' });
    expect(first?.description).toBe(`${matter.caseName} · 24-CV-0117\n\n${notes}`);
    expect(first?.span).toEqual([`${inDays(3)}T12:00:00Z`, `${inDays(4)}T12:00:00Z`]);
    expect(found.get(`${days.id}@matterdesk`)?.span).toEqual([inDays(5), inDays(7)]);
    const calls = [...found.values()].filter(({ summary }) => summary === 'Docket call');
    expect(calls.map(({ span }) => span[0])).toEqual(
      [7, 8, 9].map((n) => `${inDays(n)}T12:00:00Z`),
    );
    expect(first?.text).toContain('METHOD:PUBLISH');
    const file = await app.call(exchangeRoutes.readEventFile, {
      token: ada.token,
      params: { id: weekly.id },
    });
    expect(file.text.match(/UID:(.*)\r\n/)?.[1]).toBe(`${weekly.id}@matterdesk`);
    expect(file.headers.get('content-disposition')).toContain('filename="Docket call.ics"');
  });

  test('names no one unless it is asked to, and nothing but busy times if asked to', async () => {
    const ben = await registerUser(app);
    const matter = await openCase(app, admin.token, {
      caseNo: '25-CV-0001',
      caseName: 'Doe v. Roe',
    });
    const secret = { title: 'Meet Jane Doe', location: 'At Doe’s', notes: 'Doe cries' };
    await addEvent(app, ben.token, {
      ...secret,
      case: matter.id,
      kind: 'deposition',
      start: noonIn(1),
      end: noonIn(1),
    });
    await addEvent(app, ben.token, { ...secret, private: true, start: noonIn(2), end: noonIn(2) });
    const brief = [...(await eventsOf((await feed({}, ben)).path)).values()];
    expect(brief.map(({ summary }) => summary)).toEqual(['Deposition · 25-CV-0001', 'Hearing']);
    expect(brief[0]?.text).not.toMatch(/Doe|Roe/);
    const busy = [...(await eventsOf((await feed({ detail: 'busy' }, ben)).path)).values()];
    expect(busy.map(({ summary }) => summary)).toEqual(['Busy', 'Busy']);
    expect(busy[0]?.text).not.toMatch(/Doe|Roe|CV/);
    const foreign = await feed({ people: [ben.id], detail: 'full' });
    const seen = [...(await eventsOf(foreign.path)).values()];
    expect(seen.map(({ summary }) => summary)).toEqual(['Meet Jane Doe', 'Busy']);
    const only = await feed({ people: [ben.id], kinds: ['deposition'] });
    expect((await eventsOf(only.path)).size).toBe(1);
  });

  test('keeps the walls of its owner at each reading', async () => {
    const matter = await openCase(app, admin.token);
    const event = await addEvent(app, ada.token, {
      case: matter.id,
      start: noonIn(1),
      end: noonIn(1),
    });
    const { path } = await feed({ case: matter.id });
    expect([...(await eventsOf(path)).keys()]).toEqual([`${event.id}@matterdesk`]);
    const params = { kind: 'cases', id: matter.id };
    const { body } = await app.call(accessRoutes.readAccess, { token: admin.token, params });
    const { updatedAt } = body.access;
    const wall = {
      mode: 'restricted',
      people: [admin.id],
      screened: [],
      reason: 'x',
      updatedAt,
    } as const;
    expect(
      (await app.call(accessRoutes.changeAccess, { token: admin.token, params, body: wall }))
        .status,
    ).toBe(200);
    expect((await eventsOf(path)).size).toBe(0);
    const refused = await app.call(feedRoutes.addFeed, {
      token: ada.token,
      body: { name: 'x', case: matter.id },
    });
    expect(refused.message).toBe('Please select any case');
  });

  test('says that an event is canceled, and is read again only when it changed', async () => {
    const event = await addEvent(app, ada.token, {
      title: 'Trial',
      kind: 'trial',
      start: noonIn(20),
      end: noonIn(20),
    });
    const { path } = await feed({ kinds: ['trial'], detail: 'full' });
    const tag = (await read(path)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/".{43}"$/);
    const again = await read(path, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await read(path)).headers.get('cache-control')).toBe('private, no-cache');
    await app.call(calendarRoutes.changeEvent, {
      token: ada.token,
      params: { id: event.id },
      body: { cancelled: true },
    });
    expect((await read(path, { 'if-none-match': tag })).status).toBe(200);
    const found = (await eventsOf(path)).get(`${event.id}@matterdesk`);
    expect(found).toMatchObject({ summary: 'Trial', status: 'CANCELLED' });
    await app.pool.query(
      `update events set cancelled_at = now() - interval '31 days' where id = $1`,
      [event.id],
    );
    expect((await eventsOf(path)).size).toBe(0);
  });

  test('ends when it is revoked by its owner, and when its owner is deactivated', async () => {
    const eve = await registerUser(app);
    const [first, second] = [await feed({}, eve), await feed({}, eve)];
    const { body } = await app.call(feedRoutes.listFeeds, { token: eve.token });
    expect(body.feeds.map(({ id }) => id)).toEqual([second.feed.id, first.feed.id]);
    expect(JSON.stringify(body)).not.toContain(first.url.slice(-20, -4));
    const params = { id: first.feed.id };
    const foreign = await app.call(feedRoutes.revokeFeed, { token: ada.token, params });
    expect(foreign.status).toBe(404);
    await eventsOf(first.path);
    const read1 = (await app.call(feedRoutes.listFeeds, { token: eve.token })).body.feeds;
    expect(read1.map(({ readAt }) => readAt === null)).toEqual([true, false]);
    expect((await app.call(feedRoutes.revokeFeed, { token: eve.token, params })).status).toBe(200);
    expect((await read(first.path)).status).toBe(404);
    expect((await read(second.path)).status).toBe(200);
    const asked = { token: admin.token, params: { id: eve.id } };
    expect((await app.call(accountRoutes.deactivateUser, asked)).status).toBe(200);
    const dead = await read(second.path);
    expect([dead.status, JSON.parse(dead.text)]).toEqual([
      404,
      { statusCode: 404, code: 'notFound', message: 'Feed not found', body: null },
    ]);
    const back = { ...asked, body: { active: true } };
    expect((await app.call(accountRoutes.changeUser, back)).status).toBe(200);
    expect((await read(second.path)).status).toBe(404);
  });

  test('is one of at most twenty', async () => {
    const eve = await registerUser(app);
    for (let n = 0; n < FEEDS_MAX; n += 1) await feed({}, eve);
    const reply = await app.call(feedRoutes.addFeed, { token: eve.token, body: { name: 'x' } });
    expect([reply.status, reply.message]).toEqual([
      409,
      'You have 20 feeds already. Revoke one first.',
    ]);
  });
});
