import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes, type NewParty } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import type { Import } from '@matterdesk/contract/imports.ts';
import { packRoutes } from '@matterdesk/contract/packs.ts';
import { textFilingRoutes, type NewEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { expandArchives } from '../../integrations/exports/files.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { composeMail } from '../../testing/compose-mail.ts';
import { eventually } from '../../testing/eventually.ts';
import { fileOf } from '../../testing/exports.ts';
import {
  openUnfiledCase,
  register,
  type SignedInPerson,
  restrict,
  addContact,
  addDeadline,
  addEvent,
  addTask,
  openCase,
} from '../../testing/factories.ts';
import { importsOf } from '../../testing/imports.ts';
import { registerWithNumber, textingEnv } from '../../testing/texting.ts';
import { settle, train, upload } from '../../testing/training.ts';
import { startTwilio, type Twilio } from '../../testing/twilio.ts';
import { sendVersion } from '../../testing/uploads.ts';

const NAMES = {
  admin: { firstName: 'Grace', lastName: 'Hopper', role: 'admin' },
  colleague: { firstName: 'Ada', lastName: 'Lovelace' },
  leaver: { firstName: 'Barbara', lastName: 'Liskov' },
} as const;

type Pack = { name: string; bytes: Buffer; files: Map<string, Buffer> };

let twilio: Twilio;
let here: TestApp;
let there: TestApp;
/** The admin of the second installation. */
let mover: SignedInPerson;
let done: Import;
let before: Pack;
let after: Pack;
let bare: Record<'before' | 'after', Pack>;

beforeAll(async () => {
  twilio = await startTwilio();
  here = await startTestApp({ env: textingEnv(twilio) });
  twilio.webhookBase = here.url;
  const crew: Crew = {
    admin: await register(here, NAMES.admin),
    colleague: await register(here, NAMES.colleague),
    leaver: await register(here, NAMES.leaver),
  };
  const id = await fillMatter(here, crew);
  await fileText(id);
  before = await packMatter(here, crew.admin, id);
  const { id: small } = await openUnfiledCase(here, crew.admin.token, { caseName: 'In re Bare' });
  await restrict(here, { token: crew.admin.token, id: small, people: [crew.admin.id] });
  const smallPack = await packMatter(here, crew.admin, small);

  there = await startTestApp();
  mover = await register(there, NAMES.admin);
  await register(there, NAMES.colleague);
  const packs = { [before.name]: before.bytes, [smallPack.name]: smallPack.bytes };
  const added = await importsOf(there, mover).add(packs, 'matterdesk');
  await importsOf(there, mover).run(added.id, true);
  done = await importsOf(there, mover).run(added.id);
  const { body } = await there.call(caseRoutes.listCases, { token: mover.token });
  const idOf = (name: string) => body.cases.find(({ caseName }) => caseName === name)?.id ?? '';
  after = await packMatter(there, mover, idOf('Abara v. Meridian <b>&'));
  bare = { before: smallPack, after: await packMatter(there, mover, idOf('In re Bare')) };
}, 120_000);
afterAll(async () => {
  await there.close();
  await here.close();
  await twilio.close();
});

async function fileText(id: string): Promise<void> {
  const line = await registerWithNumber(here);
  await twilio.receive({ from: '+12125550101', to: line.phoneNumber, body: 'I saw <b>it</b>' });
  const row = await eventually(() =>
    here.db.selectFrom('text_messages').select('id').executeTakeFirstOrThrow(),
  );
  const body = { case: id, messageIds: [row.id] };
  const filed = await here.call(textFilingRoutes.fileTexts, { token: line.token, body });
  expect(filed.body).toEqual({ filed: 1 });
}

/** Asks for a pack, and downloads it. */
async function packMatter(app: TestApp, { token }: SignedInPerson, id: string): Promise<Pack> {
  const params = { id };
  const asked = await app.call(packRoutes.makePack, { token, params, body: {} });
  expect(asked).toMatchObject({ status: 202 });
  const pack = await eventually(async () => {
    const { packs } = (await app.call(packRoutes.listPacks, { token, params })).body;
    const one = packs.find(({ n }) => n === asked.body.pack.n);
    expect(one).toMatchObject({ state: 'ready' });
    return one;
  });
  const name = pack?.volumes[0]?.name ?? '';
  const path = `/api/v1/cases/${id}/pack/${pack?.n}/1`;
  const reply = await fetch(app.url + path, { headers: { 'x-auth-token': token } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const files = new Map<string, Buffer>();
  for (const { path: whole, open } of await expandArchives([fileOf(name, bytes, 65_536)]))
    files.set(whole.slice(whole.indexOf('/') + 1), await buffer(await open()));
  return { name, bytes, files };
}

/** The matter as data, without what says when a pack or a record was made. */
type Data = Record<string, unknown>;
type Matter = Record<
  'parties' | 'contacts' | 'tasks' | 'events' | 'deadlines' | 'entries',
  Data[]
> & { case: Data };

const WHEN = new Set(['packedAt', 'createdAt', 'updatedAt', 'enteredAt', 'columnSince']);

function matterIn({ files }: Pack): Matter {
  const text = files.get('data/matter.json')?.toString() ?? '';
  const matter = JSON.parse(text, (key, value: unknown) =>
    WHEN.has(key) ? undefined : value,
  ) as Matter;
  // The newest five files of the list, and how many there are.
  delete matter.case['download'];
  delete matter.case['fileCount'];
  // Those that came at once have no order.
  const parties = matter.parties.toSorted((a, b) =>
    String(a['role']) < String(b['role']) ? -1 : 1,
  );
  return { ...matter, parties };
}

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The same with each id as the number of its first appearance, so that what belongs together still does. */
function numbered(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(ID, (id) => {
    const number = ids.get(id) ?? `#${ids.size + 1}`;
    ids.set(id, number);
    return number;
  });
  return JSON.parse(text);
}

const below = (text: unknown, ...lines: string[]): string =>
  [text, ['From Matterdesk', ...lines].join('\n')].filter(Boolean).join('\n\n');

const isOff = ({ cancelled }: Data) => cancelled === true;
const isDeadline = ({ title }: Data) => String(title).startsWith('Deadline: ');

/** The contacts that are linked keep that as a text. */
const LINKED: Record<string, string> = {
  'Dana Whitlock': 'Linked to: Northline Mutual (employee)',
  'Northline Mutual': 'Linked to: Dana Whitlock (employee)',
};

function contactThere(contact: Data): Data {
  const line = LINKED[String(contact['name'])];
  return line === undefined
    ? contact
    : { ...contact, links: [], notes: below(contact['notes'], line) };
}

/** Each occurrence of a series is an event; guests are named in a text; everything is organized by who imports it. */
function eventThere(event: Data, organizer: unknown): Data {
  const own = { ...event, organizer };
  const { recurrence } = event;
  if (typeof recurrence !== 'string') return own;
  const guests = 'Guests: Dana <dana@home.example>, clerk@court.example';
  const notes = below(event['notes'], guests, `Repeats: ${recurrence}`);
  return { ...own, series: null, recurrence: null, guests: [], notes };
}

/** An answer is the text of its memo, and so are the files of an entry. */
function entryThere(entry: Data): Data {
  if (entry['answer'] !== null) {
    const quoted = `“${LIMITS}”\n(Policies/Policy.txt, page 1)`;
    const text = `What are the policy limits?\n\n${quoted}\n\n${String(entry['text'])}`;
    return { ...entry, text, answer: null };
  }
  if (entry['kind'] !== 'filing') return entry;
  return { ...entry, text: below(entry['text'], 'Files: Medical/Récords?.txt'), files: [] };
}

/** The limitation comes as a date that is not verified yet, without its history. */
function limitationThere({ deadline }: Data): Data {
  return { deadline: { ...(deadline as Data), enteredBy: null, imported: true }, history: [] };
}

/** Everything that a pack says and an import takes, with each exception by name. */
function expected(): Matter {
  const matter = matterIn(before);
  const { parties, contacts, tasks, events, deadlines, entries } = matter;
  const organizer = tasks
    .map(({ assignedTo }) => assignedTo as Data)
    .find(({ lastName }) => lastName === 'Hopper');
  return {
    ...matter,
    parties,
    contacts: contacts.map(contactThere),
    tasks,
    events: events.filter((event) => !isOff(event)).map((event) => eventThere(event, organizer)),
    deadlines: deadlines
      .filter(({ deadline }) => (deadline as Data)['kind'] === 'limitation')
      .map(limitationThere),
    entries: entries.filter(({ deleted }) => deleted === false).map(entryThere),
  };
}

describe('a matter that is packed, imported into an empty installation and packed again', () => {
  test('has the same parties, contacts, tasks, events, limitation and entries', () => {
    const is = matterIn(after);
    const events = is.events.filter((event) => !isDeadline(event));
    expect(numbered({ ...is, events })).toEqual(numbered(expected()));
  });

  test('has its other deadlines as events, which say what these were', () => {
    const deadlines = matterIn(after).events.filter(isDeadline);
    const lines = ['Status: open', 'Kind of deadline: response'];
    const verified = expect.stringMatching(
      /“left”\n\nFrom Matterdesk\nStatus: open\nKind of deadline: response\nHard: yes\nSecond: Ada Lovelace\nVerified: Ada Lovelace, 20.*Z$/,
    );
    expect(deadlines).toMatchObject([
      {
        title: 'Deadline: Answer to the counterclaim',
        start: '2035-03-05T22:00:00.000Z',
        notes: verified,
        people: [{ lastName: 'Hopper' }],
      },
      {
        title: 'Deadline: Reply',
        start: '2035-03-06',
        allDay: true,
        notes: below('', ...lines, 'Hard: no', 'Second: Ada Lovelace'),
      },
    ]);
  });

  test('has the same files at the same places, with the same bytes', () => {
    const pages = /^data\/texts\//;
    const moved = [...before.files].map(([path, bytes]) => ({
      path: path.replace(pages, 'data/documents/Texts/'),
      bytes,
    }));
    expect([...after.files.keys()].toSorted()).toEqual(moved.map(({ path }) => path).toSorted());
    const kept = moved.filter(({ path }) => /^data\/(?:documents|mail)\//.test(path));
    expect(kept).toHaveLength(5);
    for (const { path, bytes } of kept)
      expect([path, after.files.get(path)]).toEqual([path, bytes]);
  });

  test('has the same tables of tasks and of documents, whose earlier versions stay in the pack', () => {
    const table = ({ files }: Pack, name: string) => files.get(`data/${name}`)?.toString();
    expect(table(after, 'tasks.csv')).toBe(table(before, 'tasks.csv'));
    const lines = (pack: Pack) => (table(pack, 'documents.csv') ?? '').trim().split('\r\n');
    const was = lines(before).map((line) => line.replace('"text/plain","2",', '"text/plain","1",'));
    const is = lines(after).filter((line) => !line.startsWith('"data/documents/Texts/'));
    expect(is.toSorted()).toEqual(was.toSorted());
  });

  test('is reported with what did not come', () => {
    const { problems, counts, files } = done;
    expect(problems.map(({ kind, outcome, message }) => [kind, outcome, message])).toEqual([
      ['matters', 'refused', expect.stringMatching(/^Access to this case was restricted/)],
      ['events', 'refused', 'A canceled event stays in the pack: Mediation that was off'],
    ]);
    expect(counts).toMatchObject({
      contacts: { new: 5 },
      matters: { found: 3, new: 2 },
      parties: { new: 3, same: 3 },
      notes: { new: 5 },
      calls: { new: 2 },
      tasks: { new: 4 },
      events: { found: 8, new: 7 },
      documents: { new: 3 },
      mails: { new: 2 },
    });
    const left = files.filter(({ kind }) => kind === null).map(({ path }) => path);
    expect(left.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([
      'deadlines.csv',
      'record.jsonl',
      'deadlines.csv',
      'record.jsonl',
    ]);
  });

  test('is known when its pack comes once more', async () => {
    const api = importsOf(there, mover);
    const again = await api.add({ [before.name]: before.bytes }, 'matterdesk');
    const { counts } = await api.run(again.id);
    for (const [kind, { found, same, refused }] of Object.entries(counts))
      expect([kind, same + refused]).toEqual([kind, found]);
  });
});

test('a matter of which little is known stays so, and is open there', () => {
  const was = matterIn(bare.before);
  expect(was.case['access']).toBe('restricted');
  const { access: _access, ...open } = was.case;
  expect(numbered(matterIn(bare.after))).toEqual(numbered({ ...was, case: open }));
});

/** An admin, a colleague, and someone who will not be where the matter goes. */
type Crew = Record<'admin' | 'colleague' | 'leaver', SignedInPerson>;

const LIMITS = 'The policy is limited to one million dollars.';
/** Looks like HTML, and is none. */
const SIGNS = 'If x <b> y &amp; z,\n\n\n  then “left”';

/** A matter with something of everything that a lawyer keeps in one. @returns its id */
async function fillMatter(app: TestApp, crew: Crew): Promise<string> {
  const { admin, colleague } = crew;
  const { id } = await openCase(app, admin.token, {
    caseName: 'Abara v. Meridian <b>&',
    caseNo: 'CV-2026-17',
    status: 'ADR',
    SOL: '2039-05-06',
    assignedUsers: [colleague.id, admin.id],
  });
  const files = await addDocuments(app, crew, id);
  const witness = await addParties(app, crew, id);
  await addEntries(app, crew, { id, witness, files });
  await addTasks(app, crew, id);
  await addEvents(app, crew, id);
  await addDeadlines(app, crew, id);
  return id;
}

async function addDocuments(app: TestApp, { admin, leaver }: Crew, caseId: string) {
  const by = { url: app.url, token: admin.token };
  const place = { caseId, folder: 'Medical', name: 'Récords?.txt' };
  const url = await upload(by, place, Buffer.from('first'));
  await sendVersion(app, { ...place, token: admin.token }, Buffer.from('second version'));
  const policy = { caseId, folder: 'Policies', name: 'Policy.txt' };
  const quoted = await upload({ ...by, token: leaver.token }, policy, Buffer.from(LIMITS));
  await train(by, policy);
  await settle(by, policy);
  const mail = await composeMail({
    from: 'ngozi@client.example',
    to: 'ada@firm.example',
    subject: 'The bill',
    text: 'See the attached bill.',
    attachments: [{ filename: 'bill.pdf', content: Buffer.from('%PDF-1.4 a bill') }],
    messageId: '<bill@client.example>',
    date: new Date('2026-02-03T04:05:06Z'),
  });
  await upload(by, { caseId, folder: 'E-mail', name: '2026-02-03 The bill.eml' }, mail);
  await upload(by, { caseId, folder: 'Bills', name: 'The same bill.eml' }, mail);
  return { url, quoted };
}

/** @returns the id of the witness */
async function addParties(app: TestApp, { admin }: Crew, id: string): Promise<string> {
  const { token } = admin;
  const witness = await addContact(app, token, {
    name: 'Dana Whitlock',
    otherNames: ['D. Whitlock', 'Dana Roe'],
    emails: ['dana@home.example', 'dana@work.example', 'dana@school.example'],
    phoneNumbers: ['+1 212 555 0101', '+1 212 555 0102', '+1 212 555 0103', '+1 212 555 0104'],
    address: '5 Elm Street\nAlbany',
    fax: '+1 212 555 0109',
    salutation: 'Dear Dr. Whitlock',
    letterName: 'Dr. Whitlock',
    dateOfBirth: '1970-02-03',
    notes: SIGNS,
    textConsent: { at: '2026-01-02T03:04:05.000Z', wording: 'You may text me.\nAny time.' },
  });
  const insurer = await addContact(app, token, {
    kind: 'organisation',
    name: 'Northline Mutual',
    organisation: 'Northline Group',
    links: [{ contact: witness.id, relation: 'employee' }],
  });
  const add = async (party: Omit<NewParty, 'contact'>) => {
    const reply = await app.call(contactRoutes.addParty, { token, params: { id }, body: party });
    if (reply.status !== 201) throw new Error(reply.text);
  };
  await add({ role: 'witness', note: 'Saw the accident', contactId: witness.id });
  await add({ role: 'expert', note: '', contactId: witness.id });
  await add({ role: 'insurer', note: SIGNS, contactId: insurer.id });
  return witness.id;
}

type WrittenMatter = { id: string; witness: string; files: { url: string; quoted: string } };

async function addEntries(
  app: TestApp,
  { admin, colleague, leaver }: Crew,
  written: WrittenMatter,
) {
  const { id, witness, files } = written;
  const add = async (by: SignedInPerson, day: number, own: Partial<NewEntry>) => {
    const at = `2026-03-0${day}T10:11:12.345Z`;
    const body = { kind: 'note', text: '', at, ...own } as NewEntry;
    const request = { token: by.token, params: { id }, body };
    const reply = await app.call(streamRoutes.addEntry, request);
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body.entry;
  };
  const first = await add(admin, 1, { text: SIGNS, mentions: [colleague.id, leaver.id] });
  const pin = { token: admin.token, params: { id: first.id }, body: { pinned: true } };
  await app.call(streamRoutes.pinEntry, pin);
  // A reply to a note is a note after it.
  await add(leaver, 2, { text: 'Re: the left-hand rule. I agree.' });
  const call = { direction: 'in', name: null, seconds: 65, result: 'leftMessage' } as const;
  const number = '+1 212 555 0101';
  const known = { ...call, contact: witness, number };
  await add(colleague, 3, { kind: 'call', text: 'Will come.', call: known });
  const stranger = { ...call, contact: null, direction: 'out', name: 'A clerk', number } as const;
  await add(admin, 4, { kind: 'call', call: stranger });
  await add(admin, 5, { kind: 'memo', text: 'The theory of the case' });
  await add(colleague, 6, { kind: 'filing', text: 'Complaint filed', files: [files.url] });
  const question = 'What are the policy limits?';
  const answer = { question, quotation: LIMITS, url: files.quoted, page: 1 };
  await add(admin, 7, { kind: 'memo', text: 'Ask for more', answer });
  const deleted = await add(admin, 8, { text: 'A mistake' });
  await app.call(streamRoutes.deleteEntry, { token: admin.token, params: { id: deleted.id } });
}

async function addTasks(app: TestApp, { admin, colleague, leaver }: Crew, caseId: string) {
  const { token } = admin;
  const change = (id: string, body: object) =>
    app.call(taskRoutes.changeTask, { token, params: { id }, body });
  const add = (by: SignedInPerson, name: string) =>
    addTask(app, token, { case: caseId, assignedTo: by.id, name, description: SIGNS });
  await add(colleague, 'Call <i>the</i> client');
  const moved = await add(admin, 'Answer interrogatories');
  await change(moved.id, { type: 'discovery' });
  await change((await add(admin, 'Depose the adjuster')).id, { type: 'discovery' });
  const done = await add(leaver, 'Send the demand');
  await change(done.id, { type: 'demandOfInsurance' });
  await change(done.id, { done: true });
}

async function addEvents(app: TestApp, { admin, colleague, leaver }: Crew, caseId: string) {
  const { token } = admin;
  await addEvent(app, token, {
    case: caseId,
    title: 'Deposition of <i>Whitlock</i>',
    kind: 'deposition',
    start: '2035-02-03T15:00:00.000Z',
    end: '2035-02-03T17:30:00.000Z',
    timeZone: 'America/Chicago',
    location: 'Room <b>5',
    link: 'https://video.example/room?a=1&b=2',
    notes: SIGNS,
    people: [colleague.id, leaver.id],
    reminders: [15, 1440],
  });
  const quiet = { reminders: [], case: caseId };
  await addEvent(app, colleague.token, { ...quiet, kind: 'courtDate', title: 'First court date' });
  const day = { start: '2035-03-01', end: '2035-03-02', allDay: true } as const;
  await addEvent(app, token, { ...quiet, ...day, kind: 'trial', title: 'Trial' });
  await addEvent(app, token, {
    ...quiet,
    title: 'Weekly call',
    kind: 'meeting',
    start: '2035-04-02T15:00:00.000Z',
    end: '2035-04-02T15:30:00.000Z',
    recurrence: 'FREQ=WEEKLY;COUNT=2',
    guests: [
      { name: 'Dana', email: 'dana@home.example' },
      { name: '', email: 'clerk@court.example' },
    ],
  });
  const off = await addEvent(app, token, { ...quiet, title: 'Mediation that was off' });
  const cancelled = { params: { id: off.id }, body: { cancelled: true } };
  await app.call(calendarRoutes.changeEvent, { token, ...cancelled });
}

async function addDeadlines(app: TestApp, { admin, colleague }: Crew, caseId: string) {
  const { token } = admin;
  const people = { case: caseId, owner: admin.id, second: colleague.id };
  const hard = await addDeadline(app, token, {
    ...people,
    title: 'Answer to the counterclaim',
    hard: true,
    date: '2035-03-05',
    time: '17:00',
    timeZone: 'America/New_York',
    note: SIGNS,
  });
  const verified = { date: '2035-03-05', time: '17:00' };
  const by = { token: colleague.token, params: { id: hard.id } };
  const reply = await app.call(deadlineRoutes.verifyDeadline, { ...by, body: verified });
  if (reply.status !== 200) throw new Error(reply.text);
  await addDeadline(app, token, { ...people, title: 'Reply', date: '2035-03-06' });
}
