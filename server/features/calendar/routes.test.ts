import { beforeAll, describe, expect, test } from 'vitest';
import { gridRoutes, itemsOf } from '@matterdesk/contract/calendar-grid.ts';
import {
  calendarRoutes,
  type CalendarEvent,
  type EventPatch,
  type NewEvent,
  type SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import { deadlineRoutes, type NewDeadline } from '@matterdesk/contract/deadlines.ts';
import { suite } from '../../testing/app.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  newEvent,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app } = suite({});
let admin: SignedInPerson;
let ada: SignedInPerson;
let ben: SignedInPerson;
let keeper: SignedInPerson;

beforeAll(async () => {
  [admin, ada, ben] = [await registerAdmin(app), await registerUser(app), await registerUser(app)];
  keeper = await registerWith(app, { editCalendar: true });
});

const timeZone = 'America/New_York';
const add = (input: NewEvent, { token }: SignedInPerson = ada) =>
  app.call(calendarRoutes.addEvent, { token, body: input });
const read = (id: string, { token }: SignedInPerson = ada) =>
  app.call(calendarRoutes.readEvent, { token, params: { id } });
const change = (id: string, body: EventPatch, by: SignedInPerson = ada, scope?: SeriesScope) =>
  app.call(calendarRoutes.changeEvent, {
    token: by.token,
    params: { id },
    body,
    ...(scope && { query: { scope } }),
  });
type Days = { from: string; to: string } & Record<string, string>;
const calendar = async (query: Days, { token }: SignedInPerson = ada) =>
  (await app.call(calendarRoutes.readCalendar, { token, query: { timeZone, ...query } })).body;
const titles = async (query: Days, by?: SignedInPerson) =>
  (await calendar(query, by)).items.map(({ title }) => title);
/** The occurrences of a series in order. */
async function occurrencesOf(series: string | null): Promise<CalendarEvent[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    'select id from events where series_id = $1 order by slot',
    [series],
  );
  const found = await Promise.all(rows.map(({ id }) => read(id)));
  return found.map(({ body }) => body);
}

describe('an event', () => {
  test('is read as it was added, attended by its organizer, with the reminders of its kind', async () => {
    const matter = await openCase(app, admin.token);
    const { status, body } = await add(
      newEvent({ title: 'Hearing', case: matter.id, timeZone, location: 'Courtroom 4' }),
    );
    expect(status).toBe(201);
    const { id, firstName, lastName } = ada;
    expect(body).toMatchObject({ clashes: [], event: { kind: 'hearing', reminders: [1440, 60] } });
    expect(body.event).toMatchObject({
      case: { id: matter.id, caseName: matter.caseName },
      people: [{ id, firstName, lastName }],
      organizer: { id },
      series: null,
      recurrence: null,
      sequence: 0,
      canEdit: true,
      cancelled: false,
    });
    expect((await read(body.event.id)).body).toEqual(body.event);
  });

  test('is added once for one key', async () => {
    const input = newEvent({ title: 'Only once', start: '2038-06-01', end: '2038-06-01' });
    const headers = { 'idempotency-key': 'one-event' };
    const replies = [1, 2].map(() =>
      app.call(calendarRoutes.addEvent, { token: ada.token, body: input, headers }),
    );
    const [first, second] = await Promise.all(replies);
    expect(second?.body).toEqual(first?.body);
    expect(await titles({ from: '2038-06-01', to: '2038-06-01' })).toEqual(['Only once']);
  });

  test.each([
    [{ end: '2038-02-03T14:00:00.000Z' }, 'End must not be before start'],
    [{ end: '2038-02-03' }, 'End must have a time'],
    [{ allDay: true }, 'Start must be a day'],
    [{ timeZone: 'EST' }, 'Time zone is unknown'],
    [{ timeZone: 'Nowhere/City' }, 'Time zone is unknown'],
    [{ link: 'javascript:alert(1)' }, 'Link must be an http or https address'],
    [{ recurrence: 'FREQ=HOURLY' }, 'Recurrence is not supported'],
    [{ recurrence: 'FREQ=WEEKLY;BYDAY=TU' }, 'Start must be a day of the recurrence'],
    [{ case: 'unknown' }, 'Please select any case'],
    [{ people: ['unknown'] }, 'Only active users can be assigned'],
  ])('with %j is refused', async (own, message) => {
    const reply = await add(newEvent(own));
    expect([reply.status, reply.message]).toEqual([400, message]);
  });

  test('of a matter cannot be private', async () => {
    const { id } = await openCase(app, admin.token);
    expect((await add(newEvent({ case: id, private: true }))).status).toBe(400);
    const event = await addEvent(app, ada.token, { case: id });
    expect((await change(event.id, { private: true })).status).toBe(400);
  });

  test('is changed by its people and those with editCalendar, not by others', async () => {
    const event = await addEvent(app, ada.token, { people: [ben.id] });
    for (const [by, status] of [
      [ada, 200],
      [ben, 200],
      [keeper, 200],
      [await registerUser(app), 403],
    ] as const)
      expect((await change(event.id, { location: `By ${by.id}` }, by)).status).toBe(status);
    expect((await read(event.id)).body).toMatchObject({ sequence: 3, canEdit: true });
    expect((await read(event.id, await registerUser(app))).body.canEdit).toBe(false);
  });

  test('is published as each reader sees it', async () => {
    const readers = { ada, ben, keeper, stranger: await registerUser(app) };
    const received = new Map<string, CalendarEvent[]>();
    for (const [who, { token }] of Object.entries(readers)) {
      const events: CalendarEvent[] = [];
      const socket = await app.socket(token);
      for (const name of ['event.created', 'event.updated'] as const)
        socket.on(name, (event) => events.push(event));
      received.set(who, events);
    }
    const source = { type: 'mail', id: 'm1' } as const;
    const { id } = await addEvent(app, ada.token, { people: [ben.id], source });
    await change(id, { location: 'Room 9' }, ben);
    for (const [who, by] of Object.entries(readers)) {
      const own = () => received.get(who)?.filter((event) => event.id === id) ?? [];
      await expect.poll(() => own().at(-1)?.location).toBe('Room 9');
      expect(own().map(({ location }) => location)).toEqual(['', 'Room 9']);
      // Events that one change published in parts reach each reader once, as a reply would show them.
      expect(own().at(-1)).toEqual((await read(id, by)).body);
    }
  });

  test('is canceled and brought back, and never deleted', async () => {
    const event = await addEvent(app, ada.token, { start: '2038-06-02', end: '2038-06-02' });
    await change(event.id, { cancelled: true });
    const days = { from: '2038-06-02', to: '2038-06-02' };
    expect((await calendar(days)).items).toMatchObject([{ id: event.id, cancelled: true }]);
    await app.pool.query(
      `update events set cancelled_at = now() - interval '31 days' where id = $1`,
      [event.id],
    );
    expect(await titles(days)).toEqual([]);
    await change(event.id, { cancelled: false });
    expect((await calendar(days)).items).toMatchObject([{ cancelled: false }]);
  });

  test('at the same time as another of the same people is warned about, not refused', async () => {
    const times = { start: '2038-06-03T14:00:00.000Z', end: '2038-06-03T15:00:00.000Z' };
    const first = await addEvent(app, ada.token, { ...times, title: 'First', people: [ben.id] });
    const next = { start: times.end, end: '2038-06-03T16:00:00.000Z', people: [ben.id] };
    expect((await add(newEvent(next))).body.clashes).toEqual([]);
    const { body } = await add(newEvent({ ...times, people: [ben.id, ada.id] }));
    expect(body.clashes).toMatchObject([
      { id: first.id, title: 'First', people: [{ id: ben.id }] },
    ]);
  });
});

describe('a private event', () => {
  const when = { start: '2038-06-04T14:00:00.000Z', end: '2038-06-04T15:00:00.000Z' };
  const days = { from: '2038-06-04', to: '2038-06-04' };
  let event: CalendarEvent;
  beforeAll(async () => {
    const own = { ...when, title: 'Dentist', location: 'Main Street', people: [ada.id, ben.id] };
    event = await addEvent(app, ada.token, { ...own, private: true });
  });

  test.each(['admin', 'keeper'] as const)('is Busy to the %s', async (who) => {
    const by = { admin, keeper }[who];
    const { body, text } = await read(event.id, by);
    expect(text).not.toMatch(/Dentist|Main Street/);
    expect(body).toMatchObject({ title: 'Busy', kind: 'other', canEdit: false, ...when });
    expect(body.people.map(({ id }) => id)).toEqual([ada.id, ben.id]);
    expect((await calendar(days, by)).items).toMatchObject([{ title: 'Busy', canEdit: false }]);
    expect(await titles({ ...days, search: 'dentist' }, by)).toEqual([]);
    expect(await titles({ ...days, kinds: 'hearing' }, by)).toEqual([]);
    expect((await change(event.id, { title: 'Mine' }, by)).status).toBe(403);
  });

  test('is whole to its people', async () => {
    expect(await titles({ ...days, search: 'DENTIST' }, ben)).toEqual(['Dentist']);
    expect((await change(event.id, { notes: 'Floor 2' }, ben)).status).toBe(200);
  });

  test('is published whole to its people and masked to others', async () => {
    const received = async ({ token }: SignedInPerson) => {
      const socket = await app.socket(token);
      const lines: string[] = [];
      socket.onAny((name: string, payload: unknown) =>
        lines.push(`${name} ${JSON.stringify(payload)}`),
      );
      return lines;
    };
    const [own, other] = [await received(ben), await received(admin)];
    await change(event.id, { location: 'High Street' });
    await expect.poll(() => own.join('\n')).toContain('High Street');
    await expect.poll(() => other.join('\n')).toContain('event.updated');
    expect(other.join('\n')).not.toMatch(/Dentist|Street/);
  });

  test('leaves no word of it in the audit log', async () => {
    const { rows } = await app.pool.query<{ text: string }>(
      'select audit_log::text as text from audit_log where entity_id = $1',
      [event.id],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/Dentist|Street/);
  });
});

describe('a series', () => {
  const weekly = {
    title: 'Docket call',
    start: '2038-03-01T14:00:00.000Z',
    end: '2038-03-01T15:00:00.000Z',
    timeZone,
    recurrence: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4',
  };
  const starts = (events: CalendarEvent[]) => events.map(({ start }) => start.slice(0, 16));

  test('is a row for each occurrence, at the same time of day in its zone', async () => {
    const { series } = await addEvent(app, ada.token, weekly);
    expect(starts(await occurrencesOf(series))).toEqual([
      '2038-03-01T14:00',
      '2038-03-08T14:00',
      // Summer time begins on March 14.
      '2038-03-15T13:00',
      '2038-03-22T13:00',
    ]);
  });

  test('changes one occurrence alone, which stays so when all change', async () => {
    const { series } = await addEvent(app, ada.token, weekly);
    const [, second] = await occurrencesOf(series);
    await change(second?.id ?? '', { title: 'Alone' });
    const first = (await occurrencesOf(series))[0];
    await change(first?.id ?? '', { title: 'All of them' }, ada, 'all');
    const names = (await occurrencesOf(series)).map(({ title }) => title);
    expect(names).toEqual(['All of them', 'Alone', 'All of them', 'All of them']);
  });

  test('moves this and what follows to another day, and what came before stays', async () => {
    const { series } = await addEvent(app, ada.token, weekly);
    const [, , third] = await occurrencesOf(series);
    const moved = { start: '2038-03-16T15:00:00.000Z', end: '2038-03-16T16:30:00.000Z' };
    const { body } = await change(third?.id ?? '', moved, ada, 'following');
    expect(body.event).toMatchObject({ ...moved, recurrence: 'FREQ=WEEKLY;BYDAY=TU;COUNT=2' });
    expect(starts(await occurrencesOf(series))).toEqual(['2038-03-01T14:00', '2038-03-08T14:00']);
    const following = await occurrencesOf(body.event.series);
    expect(starts(following)).toEqual(['2038-03-16T15:00', '2038-03-23T15:00']);
    expect(following[0]?.id).toBe(third?.id);
  });

  test('gets and loses occurrences with its rule, and no row is deleted', async () => {
    const event = await addEvent(app, ada.token, weekly);
    const recurrence = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=3';
    await change(event.id, { recurrence }, ada, 'all');
    const all = await occurrencesOf(event.series);
    const live = all.filter(({ cancelled }) => !cancelled);
    expect(starts(live)).toEqual(['2038-03-01T14:00', '2038-03-15T13:00', '2038-03-29T13:00']);
    expect(all).toHaveLength(5);
    await change(event.id, { recurrence: null }, ada, 'all');
    expect((await read(event.id)).body).toMatchObject({ series: null, cancelled: false });
  });

  test('of an event that begins to repeat keeps the event as its first', async () => {
    const event = await addEvent(app, ada.token, { ...weekly, recurrence: null });
    const { body } = await change(event.id, { recurrence: weekly.recurrence });
    expect((await occurrencesOf(body.event.series)).map(({ id }) => id)).toContain(event.id);
    expect(await occurrencesOf(body.event.series)).toHaveLength(4);
  });

  test('without an end reaches two years ahead and is canceled from an occurrence on', async () => {
    const thisYear = new Date().getUTCFullYear();
    const first = `${thisYear}-01-05`;
    const endless = await addEvent(app, ada.token, {
      start: first,
      end: first,
      recurrence: 'FREQ=MONTHLY',
    });
    const day = `${thisYear + 1}-07-05`;
    const { expandedTo } = await calendar({ from: day, to: day });
    expect(Date.parse(expandedTo) - Date.now()).toBeGreaterThan(730 * 86_400_000);
    const later = (await occurrencesOf(endless.series)).find(({ start }) => start >= day);
    await change(later?.id ?? '', { cancelled: true }, ada, 'following');
    const left = (await occurrencesOf(endless.series)).filter(({ cancelled }) => !cancelled);
    expect(left.at(-1)?.start).toBe(`${thisYear + 1}-06-05`);
  });

  test('refuses a rule for one occurrence alone', async () => {
    const event = await addEvent(app, ada.token, weekly);
    expect((await change(event.id, { recurrence: 'FREQ=DAILY;COUNT=2' })).status).toBe(400);
  });
});

describe('the calendar', () => {
  test('shows what touches the reader’s days, soonest first', async () => {
    const at = (title: string, start: string, end: string) =>
      addEvent(app, ada.token, { title, start, end, timeZone });
    await at('Ends at midnight', '2038-08-03T23:00:00.000Z', '2038-08-04T04:00:00.000Z');
    await at('Of no length', '2038-08-04T04:00:00.000Z', '2038-08-04T04:00:00.000Z');
    await at('Late at night', '2038-08-05T03:30:00.000Z', '2038-08-05T03:45:00.000Z');
    await at('The next day', '2038-08-05T04:00:00.000Z', '2038-08-05T05:00:00.000Z');
    await at('Three days', '2038-08-02', '2038-08-04');
    const { id } = await openCase(app, admin.token, {
      dateOfOpening: '2038-08-04',
      SOL: '2035-08-04',
      assignedUsers: [ben.id],
    });
    const times = { startTime: '2038-08-04T12:00:00.000Z', endTime: '2038-08-04T13:00:00.000Z' };
    await addTask(app, admin.token, { case: id, assignedTo: ben.id, name: 'File it', ...times });
    const day = { from: '2038-08-04', to: '2038-08-04' };
    const all = ['Three days', 'Opened', 'Of no length', 'File it', 'Late at night'];
    expect(await titles(day)).toEqual(all);
    expect(await titles({ ...day, kinds: 'task,caseDate' })).toEqual(['Opened', 'File it']);
    expect(await titles({ ...day, people: `${ben.id},unknown` })).toEqual(['Opened', 'File it']);
    expect(await titles({ ...day, case: id })).toEqual(['Opened', 'File it']);
    expect(await titles({ ...day, case: 'unknown' })).toEqual([]);
    expect(await titles({ ...day, search: 'NIGHT' })).toEqual(['Late at night']);
  });

  test('finds tasks and deadlines however their letters are folded', async () => {
    const { id } = await openCase(app, admin.token);
    const times = { startTime: '2038-08-11T12:00:00.000Z', endTime: '2038-08-11T13:00:00.000Z' };
    await addTask(app, admin.token, {
      case: id,
      assignedTo: ben.id,
      name: 'Große Straße',
      ...times,
    });
    await addDeadline(app, ada.token, {
      case: id,
      owner: ada.id,
      title: 'Straße',
      date: '2038-08-11',
    });
    const day = { from: '2038-08-11', to: '2038-08-11' };
    for (const search of ['Straße', 'STRASSE'])
      expect((await titles({ ...day, search })).toSorted()).toEqual(['Große Straße', 'Straße']);
  });

  test('shows deadlines on the date in effect, a limitation once', async () => {
    const { id } = await openCase(app, admin.token, { SOL: '2038-09-01' });
    const add = (own: Partial<NewDeadline>) =>
      addDeadline(app, ada.token, { case: id, owner: ada.id, second: ben.id, ...own });
    // 11 PM in Los Angeles is the next day of the reader.
    await add({
      title: 'Late',
      date: '2038-08-31',
      time: '23:00',
      timeZone: 'America/Los_Angeles',
    });
    await add({ title: 'Reply', date: '2038-09-01', hard: true, time: '09:00', timeZone });
    await add({ title: 'Whole day', date: '2038-09-01', timeZone: 'Pacific/Kiritimati' });
    await add({ title: 'Before', date: '2038-08-31' });
    const vacated = await add({
      title: 'Vacated',
      date: '2038-09-01',
      owner: ben.id,
      second: null,
    });
    await app.call(deadlineRoutes.proposeChange, {
      token: ben.token,
      params: { id: vacated.id },
      body: { action: 'vacate', reason: 'Settled', time: null, proof: '' },
    });
    const day = { from: '2038-09-01', to: '2038-09-01', case: id };
    const found = (await calendar(day)).items;
    expect(found.map(({ title }) => title).toSorted()).toEqual([
      'Late',
      'Reply',
      'Statute of limitations',
      'Vacated',
      'Whole day',
    ]);
    expect(found.find(({ title }) => title === 'Reply')).toMatchObject({
      type: 'deadline',
      kind: 'response',
      allDay: false,
      start: '2038-09-01T13:00:00.000Z',
      people: [{ id: ada.id }, { id: ben.id }],
      hard: true,
      status: 'open',
      canEdit: true,
      case: { id },
    });
    expect(found.find(({ title }) => title === 'Vacated')).toMatchObject({
      allDay: true,
      start: '2038-09-01',
      cancelled: true,
      canEdit: false,
    });
    expect(await titles({ ...day, people: ben.id, search: 'whole' })).toEqual(['Whole day']);
    expect(await titles({ ...day, kinds: 'caseDate,task' })).toEqual([]);
  });

  test.each([
    [{ from: '2038-01-02', to: '2038-01-01' }, 'To must not be before from'],
    [{ from: '2038-01-01', to: '2039-02-05' }, 'At most 400 days'],
    [{ from: '2038-01-01', to: '2038-01-01', kinds: 'party' }, /^Kinds must be some of/],
    [{ from: '2038-01-01', to: '2038-01-01', timeZone: '+05:00' }, 'Time zone is unknown'],
  ])('of %j is refused', async (query, message) => {
    const reply = await app.call(calendarRoutes.readCalendar, { token: ada.token, query });
    expect([reply.status, reply.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe('the calendar by column', () => {
  const days = { from: '2035-10-01', to: '2035-10-31', timeZone };
  const grid = ({ token }: SignedInPerson) =>
    app.call(gridRoutes.readCalendarGrid, { token, query: days });

  test('names a matter, a title and people once, however many items have them', async () => {
    const matter = await openCase(app, admin.token, { assignedUsers: [ben.id] });
    const times = { start: '2035-10-04T13:00:30.250Z', end: '2035-10-04T14:30:00.000Z' };
    const series = { recurrence: 'FREQ=DAILY;COUNT=4', timeZone };
    await addEvent(app, ada.token, { ...times, ...series, title: 'Status', case: matter.id });
    const whole = { start: '2035-10-05', end: '2035-10-06', timeZone: 'Pacific/Kiritimati' };
    await addEvent(app, ada.token, { ...whole, title: 'Retreat' });
    const { body, text } = await grid(ada);
    const found = itemsOf(body);
    expect(found.map(({ title, start }) => [title, start])).toEqual([
      ['Status', times.start],
      ['Retreat', '2035-10-05'],
      ['Status', '2035-10-05T13:00:30.250Z'],
      ['Status', '2035-10-06T13:00:30.250Z'],
      ['Status', '2035-10-07T13:00:30.250Z'],
    ]);
    const { id, firstName, lastName } = ada;
    expect(found[0]).toEqual({
      type: 'event',
      id: body.items.id[0],
      title: 'Status',
      kind: 'hearing',
      case: { id: matter.id, caseName: matter.caseName },
      people: [{ id, firstName, lastName }],
      allDay: false,
      ...times,
      private: false,
      cancelled: false,
      hard: false,
      status: null,
      canEdit: true,
    });
    expect(found[1]).toMatchObject({
      start: whole.start,
      end: whole.end,
      allDay: true,
      case: null,
    });
    for (const named of [matter.id, matter.caseName, 'Status', ada.id])
      expect([named, text.split(named).length - 1]).toEqual([named, 1]);
  });

  test('names what the second is to verify to the second alone, until they have verified it', async () => {
    const date = '2035-10-16';
    const own = { title: 'Expert report', hard: true, date, owner: ada.id, second: ben.id };
    const { id } = await addDeadline(app, ada.token, own);
    const markOf = async (reader: SignedInPerson) => {
      const shown = await Promise.all([
        grid(reader).then(({ body }) => itemsOf(body)),
        calendar(days, reader).then(({ items }) => items),
      ]);
      return shown.map((items) => items.find((item) => item.id === id)?.toVerify);
    };
    expect(await markOf(ben)).toEqual([true, true]);
    for (const other of [ada, admin]) expect(await markOf(other)).toEqual([undefined, undefined]);
    const body = { date, time: null };
    await app.call(deadlineRoutes.verifyDeadline, { token: ben.token, params: { id }, body });
    expect(await markOf(ben)).toEqual([undefined, undefined]);
  });

  test('has what the calendar has for each reader, and of a private event its time', async () => {
    const matter = await openCase(app, admin.token, { SOL: '2035-10-20', assignedUsers: [ben.id] });
    const own = { start: '2035-10-12T14:00:00.000Z', end: '2035-10-12T15:00:00.000Z' };
    await addEvent(app, ada.token, { ...own, title: 'Surgeon', private: true });
    const dates = { case: matter.id, owner: ada.id, second: ben.id };
    const date = '2035-10-13';
    await addDeadline(app, ada.token, { ...dates, title: 'Reply', date, time: '09:30', timeZone });
    const moved = await addDeadline(app, ada.token, { ...dates, title: 'Brief', date, hard: true });
    await app.call(deadlineRoutes.verifyDeadline, {
      token: ben.token,
      params: { id: moved.id },
      body: { date, time: null },
    });
    await app.call(deadlineRoutes.proposeChange, {
      token: ada.token,
      params: { id: moved.id },
      body: { action: 'move', date: '2035-10-18', time: null, reason: 'Agreed', proof: '' },
    });
    const times = { startTime: '2035-10-14T12:00:00.000Z', endTime: '2035-10-14T13:00:00.000Z' };
    await addTask(app, admin.token, { case: matter.id, assignedTo: ben.id, ...times });
    for (const reader of [ada, ben, keeper, admin])
      expect(itemsOf((await grid(reader)).body)).toEqual((await calendar(days, reader)).items);
    const types = itemsOf((await grid(ben)).body).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['event', 'deadline', 'task']));
    expect(itemsOf((await grid(ben)).body)).toContainEqual(
      expect.objectContaining({ title: 'Brief', hard: true, proposed: '2035-10-18' }),
    );
    expect((await grid(ada)).text).toContain('Surgeon');
    for (const other of [ben, keeper, admin]) {
      const { text, body } = await grid(other);
      expect(text).not.toContain('Surgeon');
      expect(itemsOf(body)).toContainEqual(
        expect.objectContaining({ ...own, title: 'Busy', kind: 'other', canEdit: false }),
      );
    }
  });
});
