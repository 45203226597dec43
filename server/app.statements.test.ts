import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { templateRoutes } from '@matterdesk/contract/templates.ts';
import { viewRoutes } from '@matterdesk/contract/views.ts';
import { writeWord } from './integrations/templates/word-file.ts';
import { suite } from './testing/app.ts';
import {
  addContact,
  addDeadline,
  addEvent,
  addIntake,
  addTask,
  newContact,
  openCase,
  registerAdmin,
  registerUser,
  restrict,
  signIn,
  type SignedInPerson,
  unique,
} from './testing/factories.ts';
import { upload } from './testing/training.ts';
import { sendExport, sendFile, sendTemplate, sendVersion } from './testing/uploads.ts';
import { sendIntakeFile } from './testing/walled-world.ts';

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

/** Ids of what was added first, by the words of addresses. */
const ids = new Map<string, string>();
const FILE = { folder: 'Pleadings', name: 'brief.txt' };
const CALENDAR = '?from=2038-01-01&to=2038-12-31';

const OWN_NUMBER = '+12025550123';

const MORE = 10;
const TRIES = 3;
/** Characters by which a reply grows with another row, at least. */
const A_ROW = 100;

const queries: Record<string, string> = {
  '/api/v1/calendar': CALENDAR,
  '/api/v1/calendar/grid': CALENDAR,
  '/api/v1/calls/look': '?q=abara',
  '/api/v1/contacts': '?search=abara',
  '/api/v1/files/search': '?caseId={caseId}&search=affidavit',
  '/api/v1/intakes/stats': '?from=2020-01-01&to=2040-01-01&by=owner',
};

/** Routes that show one thing, or nothing of the database, and are not asked here. */
const alone = [
  'GET /api/v1/audit/{id}/seal',
  'GET /api/v1/calendar/feed/{token}.ics',
  'GET /api/v1/cases/{id}/pack/{n}/{volume}',
  'GET /api/v1/files/text/{caseId}/{folder}/{name}',
  'GET /api/v1/imports/{id}',
  'GET /api/v1/imports/{id}/report.csv',
  'GET /api/v1/intakes/{id}/letter',
  'GET /api/v1/mails/attachment/{mailId}/{attachmentId}/{name}',
  'GET /api/v1/mails/getAllMails/{userEmail}',
  'GET /api/v1/mails/google/auth',
  'GET /api/v1/mails/readMail/{userEmail}/{mailId}',
  'GET /api/v1/mails/thread/{userEmail}/{threadId}',
  'GET /api/v1/messages/availablePhoneNumber',
  'GET /api/v1/messages/consent',
  'GET /api/v1/messages/media/{mediaId}',
  'GET /api/v1/templates/{id}/file',
  'GET /api/v1/tray/{id}/content',
];

/** Routes that show one thing, and lists to which nothing is added here; any other's reply has to grow. */
const lasting = [
  'GET /api/v1/access/{kind}/{id}',
  'GET /api/v1/audit/seals',
  'GET /api/v1/calendar/events/{id}',
  'GET /api/v1/calendar/events/{id}/file',
  'GET /api/v1/calendar/settings',
  'GET /api/v1/conflicts/{id}',
  'GET /api/v1/conflicts/{id}/pdf',
  'GET /api/v1/deadlines/noStatute',
  'GET /api/v1/files/content/{caseId}/{folder}/{name}',
  'GET /api/v1/firm',
  'GET /api/v1/imports/profiles',
  'GET /api/v1/intakes/settings',
  'GET /api/v1/intakes/{id}/files/{name}',
  'GET /api/v1/intakes/{id}/proposal',
  'GET /api/v1/integrations',
  'GET /api/v1/mails/signature',
  'GET /api/v1/messages/number',
  'GET /api/v1/templates/fields',
  'GET /api/v1/users/me',
  'GET /api/v1/users/registration',
];

beforeAll(async () => {
  const { token, id } = admin;
  const matter = await openCase(app, token, { assignedUsers: [id] });
  const { body } = await app.call(contactRoutes.listParties, { token, params: { id: matter.id } });
  const intake = await addIntake(app, token);
  await app.db
    .insertInto('phone_numbers')
    .values({ user_id: id, phone_number: OWN_NUMBER, state: 'owned' })
    .execute();
  ids.set('cases', matter.id);
  ids.set('contacts', body.parties[0]?.contact.id ?? '');
  ids.set('intakes', intake.id);
  await addOneOfEach();
});

/** Another of everything that lists are made of, in the same matter and in the firm. */
async function addOneOfEach(): Promise<void> {
  const { token } = admin;
  const caseId = ids.get('cases') ?? '';
  const inCase = { token, params: { id: caseId } };
  const user = await registerUser(app);
  const about = { case: caseId, people: [admin.id, user.id] };
  const none = { emails: [], phoneNumbers: [], otherNames: [] };
  const text = `The affidavit of ${unique()}`;
  await openCase(app, token, { assignedUsers: [admin.id, user.id] });
  await addTask(app, token, { case: caseId, assignedTo: user.id });
  const event = await addEvent(app, token, {
    ...about,
    start: '2038-03-03T10:00:00Z',
    end: '2038-03-03T11:00:00Z',
  });
  const deadline = await addDeadline(app, token, {
    case: caseId,
    owner: user.id,
    second: admin.id,
    hard: true,
  });
  const note = { kind: 'note', text, mentions: [user.id] } as const;
  const { body: noted } = await app.call(streamRoutes.addEntry, { ...inCase, body: note });
  const place = { caseId, ...FILE };
  const name = ids.has('entries') ? `affidavit ${unique()}.txt` : FILE.name;
  await upload({ url: app.url, token }, { ...place, name }, Buffer.from(text));
  const party = { role: 'witness', note: '', contact: newContact() } as const;
  await app.call(contactRoutes.addParty, { ...inCase, body: party });
  await addContact(app, token, { phoneNumbers: [`+1 518 555 ${1000 + (unique() % 9000)}`] });
  await addIntake(app, token, { owner: user.id });
  await sendIntakeFile(app, token, { id: ids.get('intakes') ?? '', name, text });
  const names = [{ name: 'Jane Doe', role: null, ...none }];
  const { body: checked } = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names, texts: false },
  });
  await app.call(viewRoutes.saveView, {
    token,
    body: { page: 'matters', name: text, query: 'status=Active' },
  });
  const found = {
    events: event.id,
    deadlines: deadline.id,
    entries: noted.entry.id,
    conflicts: checked.check.id,
  };
  for (const [word, id] of Object.entries(found)) if (!ids.has(word)) ids.set(word, id);
  await addForReader(user);
  await addToFirst();
  await addPapers(user);
  await addRows(checked.check.id);
}

/** Another of everything that the reader is told, has or may see, by another person. */
async function addForReader(other: SignedInPerson): Promise<void> {
  const { token, id } = admin;
  const number = `+1212555${String(1000 + (unique() % 9000))}`;
  const text = { kind: 'note', text: 'Please look', mentions: [id] } as const;
  const walled = await openCase(app, token, { assignedUsers: [id] });
  await restrict(app, { token, id: walled.id, people: [id] });
  await app.call(streamRoutes.addEntry, {
    token: other.token,
    params: { id: ids.get('cases') ?? '' },
    body: text,
  });
  await upload(
    { url: app.url, token: other.token },
    { caseId: ids.get('cases') ?? '', folder: 'Evidence', name: `${unique()}.txt` },
    Buffer.from('x'),
  );
  await signIn(app, admin.email);
  await app.call(invitationRoutes.invite, {
    token,
    body: { email: `guest${unique()}@firm.example`, role: 'user' },
  });
  await app.call(feedRoutes.addFeed, { token, body: { name: number } });
  const sent = {
    owner_id: id,
    own_number: OWN_NUMBER,
    other_number: number,
    is_inbound: true,
    body: 'Hello',
    status: 'received',
  } as const;
  const unsent = {
    sid: null,
    error_code: null,
    error_message: null,
    refused_as: null,
    refusal: null,
  };
  const { id: last } = await app.db
    .insertInto('text_messages')
    .values({ ...sent, ...unsent })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('conversations')
    .values({
      owner_id: id,
      other_number: number,
      last_message_id: last,
      last_at: new Date(),
      unread: 1,
    })
    .execute();
}

/** More of what is shown with the first thing of a kind: its versions, its history, its rules. */
async function addToFirst(): Promise<void> {
  const { token, id: owner } = admin;
  const caseId = ids.get('cases') ?? '';
  const idOf = (word: string) => ({ token, params: { id: ids.get(word) ?? '' } });
  await sendVersion(app, { token, caseId, ...FILE }, Buffer.from(`Version ${unique()}`));
  await app.call(streamRoutes.changeEntry, {
    ...idOf('entries'),
    body: { text: `Text ${unique()}` },
  });
  await app.call(deadlineRoutes.changeDeadline, {
    ...idOf('deadlines'),
    body: { note: `Note ${unique()}` },
  });
  const court = {
    name: `Court ${unique()}`,
    timeZone: 'America/Chicago',
    weekend: [6, 7],
    holidays: [],
  };
  const { body: jurisdiction } = await app.call(courtRuleRoutes.addJurisdiction, {
    token,
    body: court,
  });
  const step = {
    title: 'Motion',
    kind: 'filing',
    hard: false,
    count: 7,
    unit: 'days',
    direction: 'before',
    roll: null,
    service: 0,
    authority: 'Local rule 7',
  } as const;
  const rule = {
    name: `Rule ${unique()}`,
    jurisdiction: jurisdiction.id,
    trigger: 'Trial',
    reviewed: false,
    steps: [step],
  };
  const { body: added } = await app.call(courtRuleRoutes.addRule, { token, body: rule });
  const day = { start: '2038-09-20', end: '2038-09-20', allDay: true };
  const trial = await addEvent(app, token, { case: caseId, ...day });
  await app.call(proposalRoutes.applyRule, {
    token,
    body: { case: caseId, rule: added.id, trigger: { event: trial.id }, owner },
  });
  await app.call(calendarRoutes.changeEvent, {
    token,
    params: { id: trial.id },
    body: { start: '2038-09-27', end: '2038-09-27' },
  });
}

/** Another template, export, form and paper, and a letter of the matter. */
async function addPapers(by: SignedInPerson): Promise<void> {
  const { token } = admin;
  const caseId = ids.get('cases') ?? '';
  const named = { name: `Letter ${unique()}` };
  const bytes = writeWord([{ text: `Dear {{client.name}}, ${unique()}` }]);
  const { body: added } = await sendTemplate(app, { token }, { fields: named, bytes });
  await app.call(templateRoutes.makeDocuments, {
    token: by.token,
    params: { id: caseId },
    body: { template: added.template.id, folder: 'Letters' },
  });
  await sendExport(app, { token, profile: 'clio' }, { 'notes.csv': `Date\r\n${unique()}\r\n` });
  const fields = [
    { key: 'name', label: 'Your name', kind: 'line', maps: 'name' },
    { key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' },
  ] as const;
  const form = { slug: `form-${unique()}`, name: 'Accidents', type: 'PI' } as const;
  await app.call(intakeFormRoutes.addForm, { token, body: { ...form, fields, active: true } });
  const paper = { name: `Paper ${unique()}.txt`, bytes: Buffer.from(`Dear all ${unique()}`) };
  await sendFile(app, { token: by.token, caseId: '', folder: '' }, paper);
}

/** Another alert, passkey and pack, which only a round, an authenticator and a job make. */
async function addRows(checkId: string): Promise<void> {
  const caseId = ids.get('cases') ?? '';
  const statements: [string, unknown[]][] = [
    [
      `insert into base.conflict_alerts (pair, case_id, name, hit)
        select gen_random_uuid(), $2, names->0, hits->0 from base.conflict_checks where id = $1`,
      [checkId, caseId],
    ],
    [
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
        values ($1, gen_random_uuid(), '', 0, '{}', 'Laptop')`,
      [admin.id],
    ],
    [
      `insert into base.packs (case_id, n, by_id, parts, left_out, files, bytes)
        select $1, coalesce(max(n), 0) + 1, $2, '[]', $3, 0, 0 from base.packs where case_id = $1`,
      [caseId, admin.id, JSON.stringify({ texts: 0, mails: 0, events: 0, answers: 0 })],
    ],
  ];
  for (const [text, values] of statements) await app.pool.query(text, values);
}

/** The address of a route with the first thing of its kind; a matter's where it names none. */
function addressOf({ path }: Route): string {
  const kind = path.split('/').find((_, at, parts) => parts[at + 1]?.startsWith('{')) ?? '';
  const own: Record<string, string> = { ...FILE, kind: 'cases' };
  return `${path}${queries[path] ?? ''}`.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      own[name] ?? (name === 'id' ? ids.get(kind) : undefined) ?? ids.get('cases') ?? '',
    ),
  );
}

type Answer = { statements: number; size: number };

/** Answers by method and path, with the fewest statements of some tries, since others work beside. */
async function askAll(): Promise<Map<string, Answer>> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const answers = new Map<string, Answer>();
  const headers = { 'x-auth-token': admin.token };
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const name = `GET ${route.path}`;
    for (let n = 0; n < TRIES; n += 1) {
      const before = sent.mock.calls.length;
      const { status, text } = await app.request(addressOf(route), { headers });
      const count = sent.mock.calls.length - before;
      const statements = Math.min(answers.get(name)?.statements ?? count, count);
      if (status === 200) answers.set(name, { statements, size: text.length });
    }
  }
  sent.mockRestore();
  return answers;
}

test('every list sends as many statements for many rows as for one', async () => {
  const few = await askAll();
  const reading = routes.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`);
  expect(reading.filter((route) => !few.has(route)).toSorted()).toEqual(alone);
  for (let n = 0; n < MORE; n += 1) await addOneOfEach();
  const many = await askAll();
  const sizeOf = (route: string) => many.get(route)?.size ?? 0;
  const grown = [...few].filter(([route, { size }]) => sizeOf(route) > size + A_ROW);
  const others = [...few.keys()].filter((route) => grown.every(([name]) => name !== route));
  expect(others.toSorted()).toEqual(lasting);
  const more = grown.flatMap(([route, { statements }]) => {
    const now = many.get(route)?.statements ?? Infinity;
    return now > statements ? [`${route}: ${statements}, then ${now}`] : [];
  });
  expect(more).toEqual([]);
}, 300_000);
