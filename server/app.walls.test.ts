import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import {
  exchangeRoutes,
  feedRoutes,
  eventInvitationRoutes,
} from '@matterdesk/contract/calendar-exchange.ts';
import { gridRoutes } from '@matterdesk/contract/calendar-grid.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { events, type EventName } from '@matterdesk/contract/events.ts';
import { fileRoutes, fileVersionRoutes, trainingRoutes } from '@matterdesk/contract/files.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { integrationRoutes } from '@matterdesk/contract/integrations.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import {
  mailSignatureRoutes,
  mailChangeRoutes,
  mailPushRoutes,
  mailRoutes,
  mailAccountRoutes,
  mailWritingRoutes,
} from '@matterdesk/contract/mails.ts';
import { messageRoutes, textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { passkeyRoutes, secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { streamRoutes, textFilingRoutes } from '@matterdesk/contract/stream.ts';
import { taskListRoutes } from '@matterdesk/contract/task-lists.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { viewRoutes } from '@matterdesk/contract/views.ts';
import { suite } from './testing/app.ts';
import type { TestSocket } from './testing/client.ts';
import { newCase, newEvent, newTask, type SignedInPerson } from './testing/factories.ts';
import { upload } from './testing/training.ts';
import { filesIn, sendFile, sendParts, sendVersion } from './testing/uploads.ts';
import {
  conflictFixtures,
  contactFixtures,
  deadlineFixtures,
  importFixtures,
  intakeFixtures,
  packFixtures,
  templateFixtures,
} from './testing/walled-features.ts';
import {
  sendIntakeFile,
  buildWorld,
  CANARY,
  CLIENT_NUMBER,
  inventTarget,
  plantConversation,
  type Fixture,
  type Target,
  type World,
} from './testing/walled-world.ts';

type Answer = { status: number; headers: string; text: string };

const OWN_NUMBER = '+12025550123';
const noMatter = (reason: string): Fixture => ({ reason });
const people = noMatter('tells of people and sessions alone');
const theFirm = noMatter('tells of the settings of the firm');
const mailbox = noMatter('reads the mailbox of the caller, which has no matters');
const texts = noMatter('reads and sends texts of the caller, which have no matters');
const courtRules = noMatter('counts dates and tells of rules, which belong to the firm');
const file = ({ caseId, folder, name }: Target) => ({ params: { caseId, folder, name } });
const trained = ({ caseId, folder, name }: Target) => ({
  case_id: caseId,
  folder,
  file_name: name,
});

const access = ({ caseId }: Target) => ({ params: { kind: 'cases', id: caseId } });

const fixtures = new Map<Route, Fixture>([
  ...[
    ...Object.values(accountRoutes),
    ...Object.values(deviceRoutes),
    ...Object.values(invitationRoutes),
    ...Object.values(passwordRoutes),
    ...Object.values(registrationRoutes),
    ...Object.values(secondFactorRoutes),
    ...Object.values(passkeyRoutes),
  ].map((route): [Route, Fixture] => [route, people]),
  ...Object.values(firmRoutes).map((route): [Route, Fixture] => [route, theFirm]),
  ...Object.values(integrationRoutes).map((route): [Route, Fixture] => [route, people]),
  ...Object.values(courtRuleRoutes).map((route): [Route, Fixture] => [route, courtRules]),
  ...intakeFixtures,
  ...packFixtures,
  ...importFixtures,
  ...templateFixtures,
  ...Object.values(mailRoutes).map((route): [Route, Fixture] => [route, mailbox]),
  ...Object.values(mailAccountRoutes).map((route): [Route, Fixture] => [route, mailbox]),
  ...Object.values(mailWritingRoutes).map((route): [Route, Fixture] => [route, mailbox]),
  ...Object.values(mailChangeRoutes).map((route): [Route, Fixture] => [route, mailbox]),
  ...Object.values(mailPushRoutes).map((route): [Route, Fixture] => [route, mailbox]),
  ...Object.values(messageRoutes).map((route): [Route, Fixture] => [route, texts]),
  ...Object.values(textWebhookRoutes).map((route): [Route, Fixture] => [route, texts]),
  [caseRoutes.listCases, { ask: () => ({ query: { limit: 200 } }), shows: true }],
  [caseRoutes.readCase, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [caseRoutes.openCase, { ask: () => ({ body: newCase({ caseNo: 'Not taken', judge: '' }) }) }],
  [
    caseRoutes.changeCase,
    { ask: ({ caseId: id }) => ({ params: { id }, body: { status: 'ADR' } }), shows: true },
  ],
  [
    caseRoutes.declineStatute,
    { ask: ({ caseId: id }) => ({ params: { id }, body: { reason: 'None applies' } }) },
  ],
  [caseRoutes.exportCases, { ask: () => ({}), shows: true }],
  [caseRoutes.importCases, noMatter('opens matters, which are open to all')],
  [activityRoutes.readActivity, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [auditRoutes.listEntries, { ask: ({ caseId }) => ({ query: { caseId } }) }],
  [auditRoutes.exportEntries, { ask: ({ caseId }) => ({ query: { caseId } }) }],
  [storageRoutes.readStorage, noMatter('counts the bytes of people, whichever matter they are in')],
  [trashRoutes.emptyTrash, noMatter('removes what was deleted, and says nothing of it')],
  [auditRoutes.checkSeals, noMatter('tells of the record as a whole')],
  [auditRoutes.checkSeal, noMatter('tells of one seal, not of its entries')],
  [accessRoutes.readAccess, { ask: access, shows: true }],
  [
    accessRoutes.changeAccess,
    {
      ask: (target) => ({
        ...access(target),
        body: {
          mode: 'open',
          people: [],
          screened: [],
          reason: 'x',
          updatedAt: '2026-01-01T00:00:00.000Z',
        },
      }),
    },
  ],
  [accessRoutes.listAccess, noMatter('needs manageWalls, and says that there is a wall')],
  [
    accessRoutes.openAccess,
    { ask: (target) => ({ ...access(target), body: { reason: 'x', hours: 1 } }) },
  ],
  ...contactFixtures,
  [streamRoutes.readStream, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [
    streamRoutes.printStream,
    { ask: ({ caseId: id }) => ({ params: { id }, body: { folder: 'Prints' } }) },
  ],
  [
    streamRoutes.addEntry,
    { ask: ({ caseId: id }) => ({ params: { id }, body: { kind: 'note', text: 'A note' } }) },
  ],
  [streamRoutes.readEntry, { ask: ({ entryId: id }) => ({ params: { id } }), shows: true }],
  [
    streamRoutes.changeEntry,
    { ask: ({ entryId: id }) => ({ params: { id }, body: { text: 'Another' } }) },
  ],
  [streamRoutes.deleteEntry, { ask: ({ entryId: id }) => ({ params: { id } }) }],
  [
    streamRoutes.pinEntry,
    { ask: ({ entryId: id }) => ({ params: { id }, body: { pinned: true } }) },
  ],
  [
    streamRoutes.moveEntry,
    {
      ask: ({ entryId: id }) => ({
        params: { id },
        body: { case: world.openCaseId, reason: 'Wrong matter' },
      }),
    },
  ],
  [streamRoutes.lookForCallers, { ask: () => ({ query: { q: CANARY } }), shows: true }],
  ...Object.values(textFilingRoutes).map((route): [Route, Fixture] => [
    route,
    { ask: ({ caseId }) => ({ body: { case: caseId, messageIds: [randomUUID()] } }) },
  ]),
  [trayRoutes.listTray, { ask: () => ({}), shows: true }],
  [trayRoutes.readContent, noMatter('shows a paper that is in no matter')],
  [
    trayRoutes.fileItem,
    { ask: ({ caseId }, { id }) => ({ params: { id: paperOf(id) }, body: { case: caseId } }) },
  ],
  [trayRoutes.dismissItem, noMatter('takes a paper away that is in no matter')],
  [trayRoutes.undoItem, noMatter('is asked beside its own tests, after a filing')],
  [taskRoutes.readBoard, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [
    taskRoutes.addTask,
    {
      ask: ({ caseId }, { id }) => ({ body: newTask({ case: caseId, assignedTo: id }) }),
    },
  ],
  ...[taskRoutes.changeTask, taskRoutes.replaceTask].map((route): [Route, Fixture] => [
    route,
    { ask: ({ taskId: id }) => ({ params: { id }, body: { type: 'adr' } }), shows: true },
  ]),
  ...[calendarRoutes.readCalendar, gridRoutes.readCalendarGrid].map((route): [Route, Fixture] => [
    route,
    {
      ask: ({ caseId }) => ({ query: { from: '2038-02-01', to: '2038-03-31', case: caseId } }),
      shows: true,
    },
  ]),
  [calendarRoutes.addEvent, { ask: ({ caseId }) => ({ body: newEvent({ case: caseId }) }) }],
  [calendarRoutes.readEvent, { ask: ({ eventId: id }) => ({ params: { id } }), shows: true }],
  [
    calendarRoutes.changeEvent,
    {
      ask: ({ eventId: id }) => ({ params: { id }, body: { notes: 'Bring the file' } }),
      shows: true,
    },
  ],
  [taskListRoutes.listTasks, { ask: () => ({ query: { search: CANARY } }), shows: true }],
  [exchangeRoutes.readEventFile, { ask: ({ eventId: id }) => ({ params: { id } }), shows: true }],
  [exchangeRoutes.importEvents, noMatter('is asked beside its own tests, with parts')],
  ...Object.values(eventInvitationRoutes).map((route): [Route, Fixture] => [
    route,
    noMatter('is asked beside its own tests, with a mailbox'),
  ]),
  ...Object.values(feedRoutes).map((route): [Route, Fixture] => [route, people]),
  [feedRoutes.addFeed, { ask: ({ caseId }) => ({ body: { name: 'Mine', case: caseId } }) }],
  ...Object.values(mailSignatureRoutes).map((route): [Route, Fixture] => [route, people]),
  ...Object.values(viewRoutes).map((route): [Route, Fixture] => [route, people]),
  [taskRoutes.deleteTask, { ask: ({ taskId: id }) => ({ params: { id } }) }],
  ...deadlineFixtures,
  [noticeRoutes.readSettings, people],
  [noticeRoutes.changeSettings, people],
  [noticeRoutes.listNotices, { ask: () => ({}), shows: true }],
  [
    noticeRoutes.changeNotice,
    {
      ask: ({ notices }, { id }) => ({
        params: { id: notices.get(id) ?? randomUUID() },
        body: { seen: true },
      }),
    },
  ],
  ...conflictFixtures,
  [dashboardRoutes.readOverview, { ask: () => ({}), shows: true }],
  [fileRoutes.listFiles, { ask: ({ caseId }) => ({ params: { caseId } }), shows: true }],
  [
    fileRoutes.searchFiles,
    { ask: ({ caseId }) => ({ query: { caseId, search: CANARY } }), shows: true },
  ],
  [
    fileRoutes.createFolder,
    { ask: ({ caseId }) => ({ body: { caseId, folder: 'Discovery' } }), shows: true },
  ],
  [fileRoutes.uploadFiles, noMatter('is asked below, with parts')],
  [fileRoutes.readContent, { ask: file, shows: true }],
  [fileRoutes.readText, { ask: file, shows: true }],
  [
    fileRoutes.changeFile,
    { ask: (known) => ({ ...file(known), body: { folder: 'Correspondence' } }) },
  ],
  [fileRoutes.deleteFile, { ask: file }],
  [fileVersionRoutes.listVersions, { ask: file }],
  [fileVersionRoutes.addVersion, noMatter('is asked below, with parts')],
  [
    fileVersionRoutes.restoreVersion,
    { ask: (known) => ({ ...file(known), body: { version: 1 } }) },
  ],
  [trainingRoutes.trainAll, { ask: ({ caseId }) => ({ body: { caseId } }) }],
  [fileRoutes.restoreFile, { ask: ({ deletedUrl: url }) => ({ body: { url } }), shows: true }],
  [
    aiRoutes.train,
    {
      ask: ({ caseId, folder, name }) => ({
        body: { case_id: caseId, folder_to_download: folder, file_name: name },
      }),
    },
  ],
  [aiRoutes.check, { ask: (target) => ({ body: trained(target) }) }],
  [
    aiRoutes.ask,
    {
      ask: (target) => ({
        body: { ...trained(target), question: 'What does the settlement amount to?' },
      }),
      shows: true,
    },
  ],
  [messageRoutes.listConversations, { ask: () => ({}), shows: true }],
  [
    messageRoutes.exportConversation,
    {
      ask: ({ caseId }, person) => ({
        body: { from: numberOf(person), to: CLIENT_NUMBER, caseId },
      }),
    },
  ],
]);

const { app } = suite(
  {},
  {
    env: {
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_BASE_URL: 'http://127.0.0.1:9',
    },
  },
);
let world: World;
const papers = new Map<string, string>();
const paperOf = (id: string) => papers.get(id) ?? randomUUID();
const numbers = new Map<string, string>();
const numberOf = ({ id }: SignedInPerson) => numbers.get(id) ?? OWN_NUMBER;

beforeAll(async () => {
  world = await buildWorld(app);
  for (const [n, person] of Object.values(world.people).entries()) {
    numbers.set(person.id, `+1202555020${n}`);
    await plantConversation(app, person, numberOf(person));
    papers.set(person.id, await plantTwin(person));
  }
});

/** A paper of one person with the bytes of the file behind the wall. @returns its id */
async function plantTwin({ token }: SignedInPerson): Promise<string> {
  const { token: inside } = world.people.assigned;
  const { text } = await app.request(world.hidden.url, { headers: { 'x-auth-token': inside } });
  // Under a name that is not read: the words of a person's own paper are theirs to see.
  const paper = { name: 'Copy.bin', bytes: Buffer.from(text) };
  const sent = await sendFile(app, { token, caseId: '', folder: '' }, paper);
  return sent.body?.urls[0]?.split('/').at(-2) ?? '';
}

async function ask(route: Route, target: Target, person: SignedInPerson): Promise<Answer> {
  const fixture = fixtures.get(route);
  if (!fixture || 'reason' in fixture) throw new Error(`no fixture for ${route.path}`);
  const reply = await app.call(route, { ...fixture.ask(target, person), token: person.token });
  return answerOf(reply, target);
}

/** Without what differs between two calls anyway, and with the ids of the target made alike. */
function answerOf(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  target: Target,
): Answer {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  const alike = (written: string) =>
    written
      .replaceAll(target.caseId, 'CASE')
      .replaceAll(target.taskId, 'TASK')
      .replaceAll(target.eventId, 'EVENT')
      .replaceAll(target.deadlineId, 'DEADLINE')
      .replaceAll(target.proposalId, 'PROPOSAL')
      .replaceAll(target.checkId, 'CHECK')
      .replaceAll(target.contactId, 'CONTACT')
      .replaceAll(target.partyId, 'PARTY')
      .replaceAll(target.intakeId, 'INTAKE');
  return { status, headers: alike(JSON.stringify(kept)), text: alike(text) };
}

const asked = [...fixtures].filter(([, fixture]) => 'ask' in fixture).map(([route]) => route);
const named = asked.map((route) => [`${route.method} ${route.path}`, route] as const);
const outside = ['outsider', 'screened', 'admin'] as const;
const inside = ['assigned', 'added', 'opener'] as const;

/** Leaks of one route towards one person outside. */
async function leaksOf(route: Route, who: (typeof outside)[number]): Promise<string[]> {
  const person = world.people[who];
  const invented = inventTarget(world.hidden);
  const [hidden, unknown] = [
    await ask(route, world.hidden, person),
    await ask(route, invented, person),
  ];
  const leaks: string[] = [];
  if (JSON.stringify(hidden).includes(CANARY)) leaks.push('shows the canary');
  if (hidden.status !== unknown.status || hidden.text !== unknown.text)
    leaks.push(`answers ${hidden.text} instead of ${unknown.text}`);
  return leaks;
}

/** An admin reads and changes who sees a matter, which is why these two name its people. */
const forManagers: Route[] = [
  accessRoutes.readAccess,
  accessRoutes.changeAccess,
  accessRoutes.openAccess,
];

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s has a fixture, or a reason why it needs none',
  (_, route) => {
    expect(fixtures.get(route)).toBeDefined();
  },
);

describe.each(outside)('a matter behind a wall, for the %s person,', (who) => {
  test.each(named)('answers %s like an unknown one', async (_, route) => {
    if (who === 'admin' && forManagers.includes(route)) return;
    expect(await leaksOf(route, who)).toEqual([]);
  });

  test('takes no upload', async () => {
    const { token } = world.people[who];
    const answers: Answer[] = [];
    for (const target of [world.hidden, inventTarget(world.hidden)]) {
      const parts = filesIn(
        { token, caseId: target.caseId, folder: 'Evidence' },
        { name: 'a.txt', bytes: Buffer.from('x') },
      );
      answers.push(answerOf(await sendParts(app, token, parts), target));
    }
    expect(answers[0]?.status).toBe(400);
    expect(answers[0]).toEqual(answers[1]);
    const { intakeId: id, name } = world.hidden;
    const { status } = await sendIntakeFile(app, token, { id, name: `second ${name}`, text: 'x' });
    expect(status).toBe(404);
  });

  test('takes no new version of a file', async () => {
    const { token } = world.people[who];
    const answers: Answer[] = [];
    for (const target of [world.hidden, inventTarget(world.hidden)]) {
      const { caseId, folder, name } = target;
      const sent = await sendVersion(app, { token, caseId, folder, name }, Buffer.from('x'));
      answers.push(answerOf(sent, target));
    }
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]).toEqual(answers[1]);
  });

  test('counts nowhere', async () => {
    const { token } = world.people[who];
    const { body: list } = await app.call(caseRoutes.listCases, { token, query: { limit: 1 } });
    const { body: found } = await app.call(caseRoutes.listCases, {
      token,
      query: { search: CANARY },
    });
    const { body: overview } = await app.call(dashboardRoutes.readOverview, { token });
    expect(list.total).toBe(1);
    expect(found).toMatchObject({ cases: [], total: 0 });
    expect(overview).toMatchObject({
      counts: { activeCases: 1, archivedCases: 0, myOpenTasks: 0 },
      limitationsTotal: 0,
    });
  });
});

describe.each(inside)('a matter behind a wall, for the %s person,', (who) => {
  const shown = named.filter(([, route]) => {
    const fixture = fixtures.get(route);
    return fixture && 'shows' in fixture && route.method === 'GET';
  });
  test.each([...shown, ['POST /ai/chat', aiRoutes.ask] as const])(
    'is there in %s',
    async (_, route) => {
      const { status, text } = await ask(route, world.hidden, world.people[who]);
      expect([status, text.includes(CANARY)]).toEqual([200, true]);
    },
  );
});

describe('events of a walled matter', () => {
  const matterEvents = (Object.keys(events) as EventName[]).filter((name) =>
    /^(case|task|file|event|entry|deadline|proposal|contact)\./.test(name),
  );

  function record(socket: TestSocket): string[] {
    const received: string[] = [];
    socket.onAny((name: string, payload: unknown) =>
      received.push(`${name} ${JSON.stringify(payload)}`),
    );
    return received;
  }

  test('reach its people and no one else', async () => {
    const { assigned, added, opener } = world.people;
    const sockets = await Promise.all(
      Object.entries(world.people).map(
        async ([who, { token }]) => [who, record(await app.socket(token))] as const,
      ),
    );
    const received = new Map(sockets);
    const { caseId, taskId, eventId } = world.hidden;
    const { token } = assigned;
    await app.call(caseRoutes.changeCase, {
      token,
      params: { id: caseId },
      body: { judge: `Hon. ${CANARY} II`, SOL: '2030-01-01' },
    });
    await app.call(taskRoutes.changeTask, {
      token,
      params: { id: taskId },
      body: { type: 'discovery' },
    });
    await app.call(calendarRoutes.changeEvent, {
      token,
      params: { id: eventId },
      body: { start: '2038-03-05T10:00:00.000Z', end: '2038-03-05T11:00:00.000Z' },
    });
    const params = { id: world.hidden.entryId };
    await app.call(streamRoutes.changeEntry, { token, params, body: { text: `${CANARY} moved` } });
    await app.call(streamRoutes.addEntry, {
      token,
      params: { id: caseId },
      body: { kind: 'note', text: `${CANARY} called` },
    });
    await app.call(contactRoutes.changeContact, {
      token,
      params: { id: world.hidden.contactId },
      body: { notes: `${CANARY} calls late` },
    });
    await upload(
      { url: app.url, token },
      { caseId, folder: 'Evidence', name: `${CANARY} two.txt` },
      Buffer.from('x'),
    );
    // Events keep their order: a user who receives the second event received all earlier ones.
    await app.call(caseRoutes.changeCase, {
      token: added.token,
      params: { id: world.openCaseId },
      body: { judge: 'The last one' },
    });
    await expect.poll(() => received.get('outsider')?.join('\n')).toContain('The last one');
    await expect.poll(() => received.get('opener')?.join('\n')).toContain('The last one');
    for (const who of outside) expect(received.get(who)?.join('\n')).not.toContain(CANARY);
    const isOfIt = (line: string) => line.includes(caseId) || line.includes(CANARY);
    for (const who of ['added', 'opener'] as const)
      for (const name of [
        'case.updated',
        'task.updated',
        'event.updated',
        'entry.created',
        'entry.updated',
        'file.uploaded',
        'deadline.updated',
        'proposal.opened',
        'contact.updated',
      ])
        expect(received.get(who)?.some((line) => line.startsWith(name) && isOfIt(line))).toBe(true);
    expect(matterEvents).toHaveLength(17);
    expect(opener.role).toBe('admin');
  });
});

describe('a hole in a view', () => {
  /** Each view, and a route that it alone keeps from leaking. */
  test.each([
    ['cases', caseRoutes.readCase],
    ['tasks', taskRoutes.changeTask],
    ['events', calendarRoutes.readEvent],
    ['files', fileRoutes.readText],
    ['contacts', contactRoutes.readContact],
  ] as const)('of %s is found', async (view, route) => {
    const definition = await app.pool.query<{ text: string }>(
      `select pg_get_viewdef($1::regclass) as text`,
      [view],
    );
    const text = definition.rows[0]?.text.replace(/;\s*$/, '') ?? '';
    const hole = async (names: string[]) => {
      for (const name of names) {
        const { rows } = await sql<{ column: string }>`
          select attname as column from pg_attribute
          where attrelid = ${name}::regclass and attnum > 0 order by attnum`.execute(app.db);
        const columns = sql.join(rows.map(({ column }) => sql.id(column)));
        await sql`create or replace view ${sql.id(name)} as select ${columns} from ${sql.id('base', name)}`.execute(
          app.db,
        );
      }
    };
    const kept = new Map<string, string>();
    for (const name of ['cases', 'folders', view]) {
      const { rows } = await app.pool.query<{ text: string }>(
        `select pg_get_viewdef($1::regclass) as text`,
        [name],
      );
      kept.set(name, rows[0]?.text.replace(/;\s*$/, '') ?? text);
    }
    await hole(view === 'files' ? ['folders', 'files'] : [view]);
    try {
      expect(await leaksOf(route, 'outsider')).not.toEqual([]);
    } finally {
      for (const [name, definitionOf] of kept)
        await app.pool.query(
          `create or replace view ${name} as ${definitionOf}${name === 'cases' ? '' : ' with local check option'}`,
        );
    }
    expect(await leaksOf(route, 'outsider')).toEqual([]);
  });
});
