import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import type { EventImportItem } from '@matterdesk/contract/calendar-exchange.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { suite } from '../../../testing/app.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';

const { app } = suite({});
let ada: SignedInPerson;
let ben: SignedInPerson;

beforeAll(async () => {
  await registerAdmin(app);
  [ada, ben] = [await registerUser(app), await registerUser(app)];
});

type Asked = { caseId?: string; kind?: string; isTrial?: boolean; by?: SignedInPerson };

async function take(
  file: string,
  { caseId = '', kind = '', isTrial = false, by = ada }: Asked = {},
) {
  const body = new FormData();
  body.append('caseId', caseId);
  body.append('kind', kind);
  body.append('file', new File([file], 'court.ics'));
  const path = `/api/v1/calendar/import${isTrial ? '?dryRun=1' : ''}`;
  const reply = await app.request(path, {
    method: 'POST',
    headers: { 'x-auth-token': by.token },
    body,
  });
  const items = (reply.body as { items: EventImportItem[] } | null)?.items ?? [];
  return { ...reply, items, actions: items.map(({ action }) => action) };
}

let count = 0;
const newUid = () => `${(count += 1)}@court.example`;

function event(uid: string, own: Record<string, string> = {}): string {
  const all = {
    SUMMARY: `Event ${uid}`,
    DTSTART: '20380203T150000Z',
    DTEND: '20380203T160000Z',
    DTSTAMP: '20380101T000000Z',
    ...own,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}:${value}`);
  return ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'].join('\r\n');
}
const file = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');

async function found(search: string, { token } = ada) {
  const query = { from: '2038-01-15', to: '2038-12-31', timeZone: 'UTC', search };
  const { items } = (await app.call(calendarRoutes.readCalendar, { token, query })).body;
  return items.map(({ id, title, start, cancelled, kind }) => ({
    id,
    title,
    start,
    cancelled,
    kind,
  }));
}

describe('an import', () => {
  test('says first what it would do, then does it, and the second time nothing', async () => {
    const [one, two] = [newUid(), newUid()];
    const matter = await openCase(app, (await registerAdmin(app)).token);
    const both = file(
      event(one),
      event(two, {
        DTSTART: '20380204T150000Z',
        RRULE: 'FREQ=WEEKLY;COUNT=3',
        DTEND: '20380204T153000Z',
      }),
    );
    const asked = { caseId: matter.id, kind: 'hearing' };
    const trial = await take(both, { ...asked, isTrial: true });
    expect([trial.status, trial.items]).toEqual([
      200,
      [
        { title: `Event ${one}`, start: '2038-02-03T15:00:00.000Z', action: 'add', problem: null },
        { title: `Event ${two}`, start: '2038-02-04T15:00:00.000Z', action: 'add', problem: null },
      ],
    ]);
    expect(await found(`Event ${one}`)).toEqual([]);
    const done = await take(both, asked);
    expect([done.status, done.items]).toEqual([201, trial.items]);
    expect(await found(`Event ${one}`)).toMatchObject([
      { kind: 'hearing', start: '2038-02-03T15:00:00.000Z' },
    ]);
    const series = await found(`Event ${two}`);
    expect(series.map(({ start }) => start.slice(0, 10))).toEqual([
      '2038-02-04',
      '2038-02-11',
      '2038-02-18',
    ]);
    const { body } = await app.call(calendarRoutes.readEvent, {
      token: ada.token,
      params: { id: series[0]?.id ?? '' },
    });
    expect(body).toMatchObject({
      recurrence: 'FREQ=WEEKLY;COUNT=3',
      case: { id: matter.id },
      organizer: { id: ada.id },
    });
    expect((await take(both, asked)).actions).toEqual(['skip', 'skip']);
    const elsewhere = await take(both, { isTrial: true });
    expect(elsewhere.items[0]?.problem).toBe('Another matter has this event');
  });

  test('takes the higher sequence, of equal ones the later stamp, and cancellations', async () => {
    const uid = newUid();
    const versions: [Record<string, string>, string, EventImportItem['action']][] = [
      [{ SEQUENCE: '2' }, 'Event', 'add'],
      [{ SEQUENCE: '1', SUMMARY: 'Older', DTSTAMP: '20390101T000000Z' }, 'Event', 'skip'],
      [{ SEQUENCE: '2', SUMMARY: 'Earlier', DTSTAMP: '20261231T000000Z' }, 'Event', 'skip'],
      [
        {
          SEQUENCE: '2',
          SUMMARY: 'Later',
          DTSTAMP: '20380102T000000Z',
          DTSTART: '20380205T150000Z',
          DTEND: '20380205T160000Z',
        },
        'Later',
        'update',
      ],
      [{ SEQUENCE: '3', STATUS: 'CANCELLED', SUMMARY: 'Later' }, 'Later', 'cancel'],
    ];
    for (const [own, title, action] of versions) {
      const search = newUid();
      const { actions } = await take(file(event(uid, { LOCATION: search, ...own })));
      expect(actions).toEqual([action]);
      const shown = (await found(search)).map((one) => one.title.slice(0, title.length));
      expect(shown).toEqual(action === 'add' || action === 'update' ? [title] : []);
    }
    const [left] = await found('Later');
    expect(left).toMatchObject({ cancelled: true, start: '2038-02-05T15:00:00.000Z' });
    expect((await take(file(event(newUid(), { STATUS: 'CANCELLED' })))).actions).toEqual(['skip']);
    expect(
      (await take(file(event(uid, { SEQUENCE: '4' })), { by: ben, isTrial: true })).items[0]
        ?.problem,
    ).toBe('Only its people can change it');
  });

  test('changes one occurrence without its series, and a series without what was changed alone', async () => {
    const uid = newUid();
    const series = {
      RRULE: 'FREQ=WEEKLY;COUNT=3',
      SUMMARY: `Call ${uid}`,
      DTSTART: '20380301T150000Z',
      DTEND: '20380301T160000Z',
    };
    await take(file(event(uid, series)));
    const part = {
      'RECURRENCE-ID': '20380308T150000Z',
      DTSTART: '20380309T100000Z',
      DTEND: '20380309T110000Z',
    };
    expect(
      (await take(file(event(uid, { ...part, SEQUENCE: '1', SUMMARY: `Moved ${uid}` })))).actions,
    ).toEqual(['update']);
    const starts = async (search: string) =>
      (await found(search))
        .filter(({ cancelled }) => !cancelled)
        .map(({ start }) => start.slice(5, 16));
    expect(await starts(`Call ${uid}`)).toEqual(['03-01T15:00', '03-15T15:00']);
    expect(await starts(`Moved ${uid}`)).toEqual(['03-09T10:00']);
    const shorter = {
      ...series,
      RRULE: 'FREQ=WEEKLY;COUNT=2',
      DTSTAMP: '20380103T000000Z',
      LOCATION: 'Room 9',
    };
    expect((await take(file(event(uid, shorter)))).actions).toEqual(['update']);
    expect(await starts(`Call ${uid}`)).toEqual(['03-01T15:00']);
    expect(await starts(`Moved ${uid}`)).toEqual(['03-09T10:00']);
  });

  test('proposes to move what counts from an event that it moves or cancels', async () => {
    const admin = await registerAdmin(app);
    const { token } = admin;
    const { id: caseId } = await openCase(app, token);
    const uid = newUid();
    const takeNext = async (own: Record<string, string>) =>
      (await take(file(event(uid, own)), { caseId, by: admin })).actions;
    expect(await takeNext({})).toEqual(['add']);
    const [added] = await found(`Event ${uid}`);
    const { rules } = (await app.call(courtRuleRoutes.listRules, { token })).body;
    const rule = { rule: rules[0]?.id ?? '', steps: [0], trigger: { event: added?.id ?? '' } };
    const body = { ...rule, case: caseId, owner: admin.id, second: ada.id };
    expect((await app.call(proposalRoutes.applyRule, { token, body })).status).toBe(201);
    const proposed = async () => {
      const { proposals } = (await app.call(proposalRoutes.listProposals, { token })).body;
      const known = proposals.filter((proposal) => proposal.trigger.id === added?.id);
      return known.map(({ trigger: { title }, items }) => [title, ...items.map(({ to }) => !!to)]);
    };
    expect(await takeNext({ SEQUENCE: '1', LOCATION: 'Room 9' })).toEqual(['update']);
    expect(await proposed()).toEqual([]);
    const later = { DTSTART: '20380210T150000Z', DTEND: '20380210T160000Z' };
    expect(await takeNext({ SEQUENCE: '2', ...later })).toEqual(['update']);
    expect(await proposed()).toEqual([[`Event ${uid}`, true]]);
    expect(await takeNext({ SEQUENCE: '3', STATUS: 'CANCELLED' })).toEqual(['cancel']);
    expect(await proposed()).toEqual([[`Event ${uid}`, false]]);
  });

  test('imports nothing from a file with a date that does not exist', async () => {
    const [right, wrong] = [newUid(), newUid()];
    for (const own of [{ DTSTART: '20381345T999999Z' }, { DTEND: '20380230T160000Z' }] as const)
      for (const isTrial of [true, false]) {
        const { status, message } = await take(file(event(right), event(wrong, own)), { isTrial });
        expect([status, message]).toEqual([400, expect.stringMatching(/^Line 1\d: the date does/)]);
      }
    expect(await found(`Event ${right}`)).toEqual([]);
  });

  test('takes all of a file or nothing', async () => {
    const [right, wrong] = [newUid(), newUid()];
    const half = file(event(right), event(wrong, { DTEND: '20380201T000000Z' }));
    const { status, message, errors } = await take(half);
    expect([status, message, errors?.[0]?.path]).toEqual([
      400,
      `Event ${wrong}: It ends before it starts`,
      'file',
    ]);
    expect(await found(`Event ${right}`)).toEqual([]);
    for (const [text, said] of [
      ['hello', 'The file is not a calendar'],
      [file(), 'The file has no events'],
      ['x'.repeat(5 * 1024 * 1024 + 1), 'The file can have up to 5 MB'],
    ] as const)
      expect((await take(text)).message).toBe(said);
    expect((await take(half, { kind: 'party' })).message).toMatch(/^Kind must be one of/);
  });

  test('of many events writes many at once, since each write counts the dates of its matter again', async () => {
    const admin = await registerAdmin(app);
    const { id } = await openCase(app, admin.token);
    const uids = Array.from({ length: 1000 }, newUid);
    const { actions } = await take(file(...uids.map((uid) => event(uid))), {
      caseId: id,
      by: admin,
    });
    expect(actions).toEqual(uids.map(() => 'add'));
    // PostgreSQL, 5.5: cmin is the number of the statement within its transaction.
    const { rows } = await app.pool.query<{ events: number; statements: number }>(
      'select count(*)::int events, count(distinct cmin::text)::int statements from base.events where case_id = $1',
      [id],
    );
    expect(rows).toEqual([{ events: 1000, statements: 5 }]);
    const entries = await app.pool.query<{ uid: string }>(
      `select after->>'uid' uid from audit_log where case_id = $1 and action = 'imported' order by id`,
      [id],
    );
    expect(entries.rows.map(({ uid }) => uid)).toEqual(uids);
  });

  test('of a matter behind a wall is that of an unknown one, and its events are not found again', async () => {
    const admin = await registerAdmin(app);
    const matter = await openCase(app, admin.token);
    const uid = newUid();
    await take(file(event(uid)), { caseId: matter.id, by: admin });
    const params = { kind: 'cases', id: matter.id };
    const { access } = (await app.call(accessRoutes.readAccess, { token: admin.token, params }))
      .body;
    const body = {
      mode: 'restricted',
      people: [admin.id],
      screened: [],
      reason: 'x',
      updatedAt: access.updatedAt,
    } as const;
    expect(
      (await app.call(accessRoutes.changeAccess, { token: admin.token, params, body })).status,
    ).toBe(200);
    const hidden = await take(file(event(uid)), { caseId: matter.id });
    expect([hidden.status, hidden.message]).toEqual([400, 'Please select any case']);
    const unknown = await take(file(event(uid)), { caseId: 'unknown' });
    expect(hidden.text).toBe(unknown.text);
    expect((await take(file(event(uid)), { isTrial: true })).actions).toEqual(['add']);
  });

  test('leaves the calendar’s own events as they are', async () => {
    const { event: own } = (
      await app.call(calendarRoutes.addEvent, {
        token: ada.token,
        body: { title: 'Own', kind: 'meeting', start: '2038-02-03', end: '2038-02-03' },
      })
    ).body;
    expect((await take(file(event(`${own.id}@matterdesk`, { SEQUENCE: '9' })))).actions).toEqual([
      'skip',
    ]);
  });
});
