import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Import } from '@matterdesk/contract/imports.ts';
import { packRoutes } from '@matterdesk/contract/packs.ts';
import { textFilingRoutes } from '@matterdesk/contract/stream.ts';
import { expandArchives } from '../../integrations/exports/files.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { fileOf } from '../../testing/exports.ts';
import { openUnfiledCase, register, type SignedInPerson } from '../../testing/factories.ts';
import { type Crew, fillMatter, LIMITS } from '../../testing/full-matter.ts';
import { importsOf } from '../../testing/imports.ts';
import { restrict } from '../../testing/restrict.ts';
import { registerWithNumber, textingEnv } from '../../testing/texting.ts';
import { startTwilio, type Twilio } from '../../testing/twilio.ts';

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
        start: '2029-03-05T22:00:00.000Z',
        notes: verified,
        people: [{ lastName: 'Hopper' }],
      },
      {
        title: 'Deadline: Reply',
        start: '2029-03-06',
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
