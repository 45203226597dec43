import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { gridRoutes } from '@matterdesk/contract/calendar-grid.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeRoutes, intakeStatRoutes } from '@matterdesk/contract/intake-routes.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskListRoutes } from '@matterdesk/contract/task-lists.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { suite } from './testing/app.ts';
import {
  addContact,
  addDeadline,
  addEvent,
  addIntake,
  addTask,
  newCase,
  newContact,
  newDeadline,
  newEvent,
  newTask,
  openCase,
  registerAdmin,
  registerUser,
} from './testing/factories.ts';
import { sendFile } from './testing/uploads.ts';
import { changed, findValidInput, placesOf, type Path } from './testing/valid-input.ts';

const { app, admin } = suite({ admin: registerAdmin });
let second: string;
let caseId: string;

beforeAll(async () => {
  second = (await registerUser(app)).id;
  caseId = (await openCase(app, admin.token)).id;
});

type Input = Partial<Record<'params' | 'query' | 'body', unknown>>;
type Fixture = () => Promise<Input> | Input;

const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const DAYS = ['0001-01-01', '1900-01-01', '9999-12-31'];
const INSTANTS = ['1000-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];

async function jurisdiction(): Promise<string> {
  const { body } = await app.call(courtRuleRoutes.listJurisdictions, { token: admin.token });
  return body.jurisdictions[0]?.id ?? '';
}

async function rule(): Promise<string> {
  const step = { title: 'Reply', kind: 'response', hard: false, count: 30, unit: 'months' };
  const steps = [
    { ...step, direction: 'after' },
    { ...step, direction: 'before', count: 1000 },
  ];
  const body = { name: 'Rule', jurisdiction: await jurisdiction(), trigger: 'Served', steps };
  const reply = await app.call(courtRuleRoutes.addRule, {
    token: admin.token,
    body: { ...body, steps: steps.map((one) => ({ ...one, authority: '' })), reviewed: false },
  });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

/** An event or a deadline from which others count. */
async function counting<Trigger extends object>(trigger: Trigger): Promise<void> {
  const people = { owner: admin.id, second };
  const body = { case: caseId, rule: await rule(), trigger, ...people };
  const reply = await app.call(proposalRoutes.applyRule, { token: admin.token, body });
  expect(reply.status).toBe(201);
}

const deadline = (own = {}, by = admin) =>
  addDeadline(app, by.token, { owner: admin.id, second, case: caseId, ...own });

const times = { start: '2027-02-03T15:00:00Z', end: '2027-02-03T16:00:00Z' };
const days = { start: '2027-02-03', end: '2027-02-04' };
const series = { ...times, recurrence: 'FREQ=DAILY;COUNT=3' };
const person = () =>
  newContact({
    dateOfBirth: '1960-01-01',
    textConsent: { at: times.start, wording: 'By phone' },
  });
const inquiry = {
  DOI: '2026-01-01',
  SOL: '2028-01-01',
  dueAt: times.start,
  consultAt: times.start,
};
const range = { from: '2027-01-01', to: '2027-01-31' };

/** Valid requests with a date in each place that takes one. */
const fixtures: [Route, Fixture][] = [
  [calendarRoutes.readCalendar, () => ({ query: { ...range, timeZone: 'Asia/Tokyo' } })],
  [gridRoutes.readCalendarGrid, () => ({ query: { ...range, timeZone: 'Asia/Tokyo' } })],
  ...[times, days, series, { ...days, recurrence: 'FREQ=YEARLY' }].map((own): [Route, Fixture] => [
    calendarRoutes.addEvent,
    () => ({ body: newEvent({ ...own, case: caseId, timeZone: 'Asia/Tokyo' }) }),
  ]),
  ...[times, days, series].flatMap((own) =>
    (['this', 'all'] as const).map((scope): [Route, Fixture] => [
      calendarRoutes.changeEvent,
      async () => {
        const { id } = await addEvent(app, admin.token, { ...own, case: caseId });
        await counting({ event: id });
        const { start, end } = own;
        return { params: { id }, query: { scope }, body: { start, end, timeZone: 'Asia/Tokyo' } };
      },
    ]),
  ),
  [deadlineRoutes.listDeadlines, () => ({ query: range })],
  ...[null, '00:00', '23:59'].map((time): [Route, Fixture] => [
    deadlineRoutes.addDeadline,
    () => {
      const own = { owner: admin.id, second, case: caseId, time, workingDate: '2038-03-03' };
      return { body: { ...newDeadline(own), timeZone: 'Asia/Tokyo', warnDays: [3650] } };
    },
  ]),
  [
    deadlineRoutes.changeDeadline,
    async () => {
      const { id } = await deadline({ hard: true });
      await counting({ deadline: id });
      const corrected = { date: '2038-03-04', time: null, reason: 'Misread' };
      return { params: { id }, body: { ...corrected, workingDate: '2038-03-03' } };
    },
  ],
  [
    deadlineRoutes.verifyDeadline,
    async () => {
      const { id } = await deadline({ hard: true }, await registerAdmin(app));
      return { params: { id }, body: { date: '2038-03-03', time: null } };
    },
  ],
  [
    deadlineRoutes.proposeChange,
    async () => {
      const { id } = await deadline();
      await counting({ deadline: id });
      return { params: { id }, body: { action: 'move', date: '2038-03-04', reason: 'Agreed' } };
    },
  ],
  [
    courtRuleRoutes.computeDate,
    async () => {
      const span = { date: '2038-03-03', count: 1000, unit: 'years', direction: 'before' };
      return { body: { jurisdiction: await jurisdiction(), ...span } };
    },
  ],
  [
    courtRuleRoutes.addJurisdiction,
    () => {
      const holidays = [{ date: '2038-03-03', name: 'Holiday' }];
      return { body: { name: 'Court', timeZone: 'Asia/Tokyo', weekend: [6, 7], holidays } };
    },
  ],
  [
    courtRuleRoutes.changeJurisdiction,
    async () => {
      const holidays = [{ date: '2038-03-03', name: 'Holiday', forwardOnly: false }];
      return { params: { id: await jurisdiction() }, body: { holidays } };
    },
  ],
  [
    proposalRoutes.applyRule,
    async () => {
      const trigger = { title: 'Served', date: '2027-02-02' };
      return { body: { case: caseId, rule: await rule(), owner: admin.id, second, trigger } };
    },
  ],
  [caseRoutes.openCase, () => ({ body: newCase({ assignedUsers: [admin.id] }) })],
  [
    caseRoutes.changeCase,
    async () => {
      const { id } = await openCase(app, admin.token);
      return {
        params: { id },
        body: { SOL: '2038-03-03', DOI: '2025-03-03', dateOfOpening: '2025-03-03' },
      };
    },
  ],
  [taskListRoutes.listTasks, () => ({ query: { timeZone: 'Asia/Tokyo' } })],
  [
    trayRoutes.fileItem,
    async () => {
      const place = { token: admin.token, caseId: '', folder: '' };
      const sent = await sendFile(app, place, 'Letter.txt');
      const { case: _, ...task } = newTask({ case: caseId, assignedTo: admin.id });
      const params = { id: sent.body?.urls[0]?.split('/').at(-2) ?? '' };
      return { params, body: { case: caseId, task } };
    },
  ],
  [taskRoutes.addTask, () => ({ body: newTask({ case: caseId, assignedTo: admin.id }) })],
  ...[taskRoutes.changeTask, taskRoutes.replaceTask].map((route): [Route, Fixture] => [
    route,
    async () => {
      const { id } = await addTask(app, admin.token, { case: caseId, assignedTo: admin.id });
      const { startTime, endTime } = newTask({ case: caseId, assignedTo: admin.id });
      return { params: { id }, body: { startTime, endTime } };
    },
  ]),
  [streamRoutes.readStream, () => ({ params: { id: caseId }, query: range })],
  [
    streamRoutes.printStream,
    () => ({ params: { id: caseId }, body: { ...range, folder: 'Prints' } }),
  ],
  [
    streamRoutes.addEntry,
    () => ({
      params: { id: caseId },
      body: { kind: 'note', text: 'A note', at: '2026-03-03T10:00:00Z' },
    }),
  ],
  [
    streamRoutes.changeEntry,
    async () => {
      const body = { kind: 'note', text: 'A note' } as const;
      const call = { token: admin.token, params: { id: caseId }, body };
      const { entry } = (await app.call(streamRoutes.addEntry, call)).body;
      return { params: { id: entry.id }, body: { at: '2026-03-03T10:00:00Z' } };
    },
  ],
  [contactRoutes.addContact, () => ({ body: person() })],
  [
    contactRoutes.changeContact,
    async () => {
      const { id } = await addContact(app, admin.token);
      const textConsent = { at: times.start, wording: 'By phone' };
      return { params: { id }, body: { dateOfBirth: '1960-01-01', textConsent } };
    },
  ],
  [
    contactRoutes.addParty,
    () => ({ params: { id: caseId }, body: { role: 'witness', contact: person() } }),
  ],
  [
    contactRoutes.changeParty,
    async () => {
      const body = { role: 'witness', contact: newContact() };
      const params = { id: caseId };
      const reply = await app.call(contactRoutes.addParty, { token: admin.token, params, body });
      return { params: { id: caseId, partyId: reply.body.party.id }, body: { contact: person() } };
    },
  ],
  [
    intakeRoutes.addIntake,
    () => ({ body: { name: 'Ann Ryan', phoneNumber: '+1 518 555 0142', ...inquiry } }),
  ],
  [
    acceptingRoutes.acceptIntake,
    async () => {
      const { id } = await addIntake(app, admin.token);
      return { params: { id }, body: newCase() };
    },
  ],
  [
    intakeRoutes.changeIntake,
    async () => {
      const { id } = await addIntake(app, admin.token);
      return { params: { id }, body: inquiry };
    },
  ],
  [intakeStatRoutes.readStats, () => ({ query: { ...range, by: 'source' } })],
  [auditRoutes.listEntries, () => ({ query: range })],
  [auditRoutes.exportEntries, () => ({ query: range })],
  [dashboardRoutes.readOverview, () => ({ query: { today: '2027-01-01' } })],
  [
    accessRoutes.changeAccess,
    () => ({
      params: { kind: 'cases', id: caseId },
      body: { mode: 'open', people: [], screened: [], reason: 'x', updatedAt: times.start },
    }),
  ],
];

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
const datesIn = (input: unknown) => placesOf(input).filter(({ value }) => isDate(value));

/** Every date of a part at once, then each alone, at each of the extremes and in zones on both sides of the day. */
function extremesOf(part: unknown): unknown[] {
  const places = datesIn(part);
  const zone = placesOf(part).find(({ path }) => path.at(-1) === 'timeZone');
  const together = places.length > 1 ? [places] : [];
  return [...together, ...places.map((place) => [place])].flatMap((set) =>
    DAYS.map((day, index) => {
      const zoned = zone ? changed(part, zone.path, ZONES[index % ZONES.length]) : part;
      return set.reduce<unknown>((input, { path, value }) => {
        const isDay = String(value).length === day.length;
        return changed(input, path, isDay ? day : INSTANTS[index]);
      }, zoned);
    }),
  );
}

async function expectNoFault(route: Route, { params, query, body }: Input) {
  const given = Object.entries({ params, query, body }).filter(([, part]) => part !== undefined);
  const asked = { token: admin.token, ...Object.fromEntries(given) };
  const reply = await app.call(route, asked);
  const fault = reply.status >= 500 ? app.logLines().findLast(({ err }) => err)?.['err'] : null;
  expect({ fault, query, body }).toEqual({ fault: null, query, body });
  return reply.status;
}

/** Reads every page that shows the dates, and runs the jobs that follow them. */
async function expectReadable() {
  for (const timeZone of ZONES)
    for (const [from, to] of [
      ['0001-01-01', '0002-01-01'],
      ['1899-12-01', '1900-12-31'],
      ['9999-01-01', '9999-12-31'],
    ] as const)
      for (const route of [calendarRoutes.readCalendar, gridRoutes.readCalendarGrid])
        await expectNoFault(route, { query: { from, to, timeZone } });
  for (const route of [
    deadlineRoutes.listDeadlines,
    deadlineRoutes.listIdleCases,
    taskListRoutes.listTasks,
    caseRoutes.listCases,
    dashboardRoutes.readOverview,
    intakeRoutes.listIntakes,
    contactRoutes.listContacts,
    proposalRoutes.listProposals,
    auditRoutes.listEntries,
  ])
    await expectNoFault(route, {});
  await app.raiseNotices();
  await app.importLimitations();
  await app.raiseDigests();
}

describe('dates at the ends of the calendar', () => {
  test.each(fixtures.map(([route, fixture]) => ({ route, fixture, name: nameOf(route) })))(
    'are refused or kept by $name',
    async ({ route, fixture }) => {
      const { params, query, body } = await fixture();
      const status = await expectNoFault(route, { params, query, body });
      // Access changed meanwhile, or a conflict check is missing.
      const isConflict =
        route === accessRoutes.changeAccess || route === acceptingRoutes.acceptIntake;
      expect(status).toBe(isConflict ? 409 : (route.status ?? 200));
      for (const extreme of extremesOf(query))
        await expectNoFault(route, { params, query: extreme, body });
      for (const extreme of extremesOf(body))
        await expectNoFault(route, { params, query, body: extreme });
    },
  );

  test('are shown wherever they were kept, and followed by every round', expectReadable);

  const dated = routes.filter(({ body, query }) => [body, query].some(takesDates));
  test.each(dated.map((route) => [nameOf(route), route] as const))(
    'are tried on %s',
    (_, route) => {
      expect(fixtures.some(([known]) => known === route)).toBe(true);
    },
  );
});

/** Whether a member takes dates, and no other words. */
function takesDates(schema: Route['body']): boolean {
  const valid = schema && findValidInput(schema);
  const isWord = (path: Path) =>
    ['long enough', 'long-enough'].some(
      (word) => schema?.safeParse(changed(valid, path, word)).success,
    );
  return datesIn(valid).some(({ path }) => !isWord(path));
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
