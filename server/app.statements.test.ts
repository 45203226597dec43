import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { viewRoutes } from '@matterdesk/contract/views.ts';
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
  unique,
} from './testing/factories.ts';
import { upload } from './testing/training.ts';
import { sendIntakeFile } from './testing/walled-world.ts';

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });

/** Ids of what was added first, by the words of addresses. */
const ids = new Map<string, string>();
const FILE = { folder: 'Pleadings', name: 'brief.txt' };
const CALENDAR = '?from=2027-01-01&to=2027-12-31';

const MORE = 10;
const TRIES = 3;

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

beforeAll(async () => {
  const { token, id } = admin;
  const matter = await openCase(app, token, { assignedUsers: [id] });
  const { body } = await app.call(contactRoutes.listParties, { token, params: { id: matter.id } });
  const intake = await addIntake(app, token);
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
    start: '2027-03-03T10:00:00Z',
    end: '2027-03-03T11:00:00Z',
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
  const name = ids.has('entries') ? `${unique()}.txt` : FILE.name;
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

/** Statements of each route that answered, by its method and path; the fewest of some tries, since others work beside. */
async function countStatements(): Promise<Map<string, number>> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const counts = new Map<string, number>();
  const headers = { 'x-auth-token': admin.token };
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const name = `GET ${route.path}`;
    for (let n = 0; n < TRIES; n += 1) {
      const before = sent.mock.calls.length;
      const { status } = await app.request(addressOf(route), { headers });
      const count = sent.mock.calls.length - before;
      if (status === 200) counts.set(name, Math.min(counts.get(name) ?? count, count));
    }
  }
  sent.mockRestore();
  return counts;
}

test('every list sends as many statements for many rows as for one', async () => {
  const few = await countStatements();
  const reading = routes.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`);
  expect(reading.filter((route) => !few.has(route)).toSorted()).toEqual(alone);
  for (let n = 0; n < MORE; n += 1) await addOneOfEach();
  const many = await countStatements();
  const growing = [...few].filter(([route, count]) => (many.get(route) ?? Infinity) > count);
  expect(growing.map(([route, count]) => `${route}: ${count}, then ${many.get(route)}`)).toEqual(
    [],
  );
}, 300_000);
