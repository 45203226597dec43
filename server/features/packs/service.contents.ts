// Contents of a pack of a matter: everything that its reader may see there, and nothing else.

import { Readable } from 'node:stream';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { Contact, Party } from '@matterdesk/contract/contacts.ts';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import type { LeftOut, PackPart } from '@matterdesk/contract/packs.ts';
import {
  entryKinds,
  type StreamItem,
  type StreamKind,
  streamKinds,
} from '@matterdesk/contract/stream.ts';
import type { ActorContext } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { minuteAt } from '../../core/dates.ts';
import { Refusal } from '../../core/refusal.ts';
import { writeCsv } from '../../http/csv.ts';
import { Names } from '../../integrations/bags/names.ts';
import { writeContactCards } from '../../integrations/icalendar/write.ts';
import { streamActivity } from '../audit/service.ts';
import { writeEvents } from '../calendar/exchange/service.ts';
import { listEventsOfCase } from '../calendar/service.ts';
import { readCase } from '../cases/service.ts';
import { listParties } from '../contacts/service.parties.ts';
import { readContacts } from '../contacts/service.ts';
import { readHistories } from '../deadlines/service.export.ts';
import { addressOf, listFiles, openFile } from '../files/service.ts';
import { readFirm } from '../firm/service.ts';
import { allItems, changeLines, countUnreadable, filterOf, readStream } from '../stream/service.ts';
import { readBoard } from '../tasks/service.ts';
import * as pages from './rules.pages.ts';
import { cardOf, Chain } from './rules.ts';

/** Bytes that an item of a generated file takes, more or less. */
const [SHORT, LONG] = [300, 800];
const MAIL = 'message/rfc822';

/** A file of a pack. */
export type Item = {
  /** Null for what every pack has. */
  part: PackPart | null;
  /** Below `data`, as file systems take it. */
  path: string;
  /** Bytes; an estimate for a file that is generated. */
  size: number;
  at: Date;
  open: () => Promise<Readable>;
};

export type Contents = {
  caseName: string;
  items: Item[];
  leftOut: LeftOut;
  /** Covers the record once it is written. */
  chain: Chain;
};

type ContentsRequest = { caseId: string; parts: readonly PackPart[]; at: Date };

/** @throws Refusal notFound */
export async function listContents(
  context: ActorContext,
  { caseId, parts, at }: ContentsRequest,
): Promise<Contents> {
  const matter = await readCase(context, caseId);
  const [firm, library, { events, hidden }, unreadable, { counts }] = await Promise.all([
    readFirm(context),
    listFiles(context, caseId),
    listEventsOfCase(context, caseId),
    countUnreadable(context, caseId),
    readStream(context, caseId, { kinds: 'all', limit: 1 }),
  ]);
  const wants = (part: PackPart) => parts.includes(part);
  const documents = documentsOf(context, library).filter(({ part }) => wants(part));
  const chain = new Chain();
  const source = { context, matter, timeZone: firm.timeZone, at };
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const generated = await listPages(source, { events, total, chain });
  const chosen = generated.filter(({ part }) => wants(part)).map((item) => ({ ...item, at }));
  const files = [...documents, ...chosen];
  const index = { ...source, files, documents };
  const items: Item[] = [
    { ...page(null, 'index.html', { size: LONG, write: () => [indexPage(index)] }), at },
    ...chosen,
    ...(wants('documents') || wants('mail')
      ? [{ ...page(null, 'documents.csv', { size: SHORT, write: () => [tableOf(documents)] }), at }]
      : []),
    {
      ...page(null, 'matter.json', {
        size: LONG,
        write: () => matterData({ ...source, parts, events }),
      }),
      at,
    },
    ...documents,
  ];
  const leftOut = {
    texts: wants('texts') ? unreadable.texts : 0,
    mails: wants('mail') ? unreadable.mails : 0,
    events: wants('calendar') ? hidden : 0,
    // An answer that no one added to the matter is kept nowhere.
    answers: 0,
  };
  return { caseName: matter.caseName, items, leftOut, chain };
}

type HeldDates = { events: readonly CalendarEvent[]; total: number; chain: Chain };

/** Files that are generated from the parts, a page for each conversation. */
async function listPages(source: PackSource, { events, total, chain }: HeldDates) {
  return [
    page('stream', 'stream.html', {
      size: (total + 1) * LONG,
      write: () => streamPage(source),
    }),
    page('calendar', 'calendar.ics', {
      size: (events.length + 1) * LONG,
      write: () => calendarFile(events, source.at),
    }),
    page('contacts', 'contacts.vcf', { size: LONG, write: () => contactCards(source) }),
    page('tasks', 'tasks.csv', { size: LONG, write: () => taskTable(source) }),
    page('deadlines', 'deadlines.csv', { size: LONG, write: () => deadlineTable(source) }),
    page('answers', 'answers.html', { size: SHORT, write: () => answersPage(source) }),
    page('record', 'record.jsonl', {
      size: (total + 1) * SHORT,
      write: () => recordLines(source, chain),
    }),
    ...(await listConversations(source)).map(({ path, size, write }) =>
      page('texts', path, { size, write }),
    ),
  ];
}

type PageSource = { size: number; write: () => Iterable<string> | AsyncIterable<string> };

function page<Part extends PackPart | null>(part: Part, path: string, { size, write }: PageSource) {
  const open = () => Promise.resolve(Readable.from(write(), { objectMode: false }));
  return { part, path, size, open };
}

export type Document = Item & {
  part: 'documents' | 'mail';
  folder: string;
  detail: FileDetail;
};

type Library = Awaited<ReturnType<typeof listFiles>>;

/** Emails that are filed have a folder of their own. */
function documentsOf(context: ActorContext, { files, details }: Library): Document[] {
  const names = new Names();
  return Object.entries(files).flatMap(([folder, urls]) =>
    urls.flatMap((url): Document[] => {
      const detail = details[url];
      if (!detail) return [];
      const isMail = detail.mimeType === MAIL;
      const original = isMail ? ['mail', detail.name] : ['documents', folder, detail.name];
      const { size, version } = detail;
      return [
        {
          part: isMail ? 'mail' : 'documents',
          path: names.add(original).join('/'),
          folder,
          detail,
          size,
          at: new Date(detail.uploadedAt),
          open: () => openVersion(context, url, version),
        },
      ];
    }),
  );
}

/** @throws Refusal conflict for a file that was moved or deleted meanwhile */
async function openVersion(context: ActorContext, url: string, version: number): Promise<Readable> {
  const address = addressOf(url);
  try {
    if (!address) throw new Refusal('notFound');
    return await (await openFile(context, address, version)).read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'notFound') throw error;
    const name = address?.name ?? 'A file';
    throw new Refusal('conflict', `${name} was moved or deleted meanwhile. Export again.`);
  }
}

/** Each file's place in the pack, and its name in the matter. */
function tableOf(documents: readonly Document[]): string {
  const columns = [
    'path',
    'folder',
    'name',
    'sha256',
    'bytes',
    'type',
    'version',
    'uploaded',
    'by',
  ];
  const rows = documents.map(({ path, folder, detail }) => [
    `data/${path}`,
    folder,
    detail.name,
    detail.sha256,
    String(detail.size),
    detail.mimeType,
    String(detail.version),
    detail.uploadedAt,
    fullName(detail.uploadedBy),
  ]);
  return writeCsv(columns, rows);
}

/** Source of the generated files, each written while it is read. */
type PackSource = {
  context: ActorContext;
  matter: Case;
  /** The firm's, in which pages say when things happened. */
  timeZone: string;
  at: Date;
};

/** Items that everyone with access sees, newest first. */
async function* itemsOf(
  { context, matter }: PackSource,
  kinds: readonly StreamKind[] | 'all',
): AsyncGenerator<StreamItem> {
  const query = { kinds: kinds === 'all' ? kinds : kinds.join(',') };
  const filter = { ...(await filterOf(context, matter.id, query)), isForAll: true };
  const wanted = kinds === 'all' ? [...streamKinds] : [...kinds];
  for await (const items of allItems(context, filter, wanted)) yield* items;
}

async function* streamPage(source: PackSource): AsyncGenerator<string> {
  yield pages.headOf(`Stream of ${source.matter.caseName}`);
  yield pages.paragraph(`Newest first. Times are those of ${source.timeZone}.`);
  for await (const item of itemsOf(source, 'all'))
    yield pages.itemOf(item, { timeZone: source.timeZone, changes: changeLines(item) });
  yield pages.FOOT;
}

async function* answersPage(source: PackSource): AsyncGenerator<string> {
  yield pages.headOf(`Answers in ${source.matter.caseName}`);
  yield pages.paragraph('Questions that were asked of the documents, each with its quotation.');
  for await (const { entry, at } of itemsOf(source, [...entryKinds]))
    if (entry?.answer) {
      const when = `${minuteAt(at, source.timeZone)}, ${fullName(entry.author)}`;
      yield pages.article(when, pages.answerOf(entry.answer), entry.text);
    }
  yield pages.FOOT;
}

type Conversation = { path: string; size: number; write: () => string[] };

/** Texts that are filed to the matter, a page for each pair of numbers, oldest first. */
async function listConversations(source: PackSource): Promise<Conversation[]> {
  const names = new Names();
  const byNumbers = new Map<string, string[]>();
  for await (const { at, text } of itemsOf(source, ['text'])) {
    if (!text) continue;
    const key = [text.from, text.to].toSorted().join(' and ');
    const more = text.media.map(({ mimeType }) => `${mimeType} (not in this pack)`);
    const when = `${minuteAt(at, source.timeZone)} · ${text.from} to ${text.to} · ${text.status}`;
    const said = byNumbers.get(key) ?? [];
    said.push(pages.article(when, '', [text.body, ...more].join('\n')));
    byNumbers.set(key, said);
  }
  return [...byNumbers].map(([key, texts]) => ({
    path: names.add(['texts', `${key}.html`]).join('/'),
    size: texts.reduce((sum, text) => sum + text.length, 0),
    write: () => [pages.headOf(`Texts between ${key}`), ...texts.toReversed(), pages.FOOT],
  }));
}

function calendarFile(events: readonly CalendarEvent[], at: Date): string[] {
  return [writeEvents(events, at)];
}

async function readPeople({ context, matter }: PackSource) {
  const parties = await listParties(context, matter.id);
  const ids = [...new Set(parties.map(({ contact }) => contact.id))];
  return { parties, contacts: await readContacts(context, ids) };
}

async function* contactCards(source: PackSource): AsyncGenerator<string> {
  const { parties, contacts: found } = await readPeople(source);
  yield writeContactCards(found.map((contact) => cardOf(contact, parties)));
}

async function listTasks({ context, matter }: PackSource) {
  const { columns, columnOrder } = await readBoard(context, matter.id);
  return columnOrder.flatMap((id) => columns[id].items);
}

async function* taskTable(source: PackSource): AsyncGenerator<string> {
  const columns = ['name', 'column', 'assigned to', 'starts', 'ends', 'done', 'description'];
  const rows = (await listTasks(source)).map((task) => [
    task.name,
    columnTitles[task.type],
    fullName(task.assignedTo),
    task.startTime,
    task.endTime,
    task.doneAt ?? '',
    task.description,
  ]);
  yield writeCsv(columns, rows);
}

/** A row for each entry of each history, and one for a deadline without any. */
async function* deadlineTable({ context, matter }: PackSource): AsyncGenerator<string> {
  const facts = ['deadline', 'kind', 'hard', 'date', 'time', 'time zone', 'status', 'owner'];
  const entries = ['at', 'by', 'action', 'from', 'to', 'reason', 'hash', 'matches'];
  const rows: string[][] = [];
  for await (const { deadline, history } of readHistories(context, matter.id)) {
    const { title, kind, hard, date, time, timeZone, status, owner } = deadline;
    const yes = hard ? 'yes' : 'no';
    const own = [
      title,
      kind,
      yes,
      date,
      time ?? '',
      timeZone,
      status,
      owner ? fullName(owner) : '',
    ];
    if (history.length === 0) rows.push([...own, ...entries.map(() => '')]);
    for (const { at, by, action, from, to, reason, hash, isSound } of history) {
      const states = [from, to].map((state) => (state === null ? '' : JSON.stringify(state)));
      const who = by ? fullName(by) : 'Matterdesk';
      rows.push([...own, at, who, action, ...states, reason, hash, isSound ? 'yes' : 'no']);
    }
  }
  yield writeCsv([...facts, ...entries], rows);
}

async function* recordLines({ context, matter }: PackSource, chain: Chain): AsyncGenerator<string> {
  for await (const activity of streamActivity(context, matter.id)) yield chain.lineOf(activity);
}

type ListedFile = { path: string; part: PackPart | null };
type Index = PackSource & {
  files: readonly ListedFile[];
  documents: readonly (ListedFile & { folder: string; detail: { name: string; size: number } })[];
};

const TITLES: Partial<Record<PackPart, string>> = {
  stream: 'Stream: what happened, newest first',
  calendar: 'Calendar, for any calendar program',
  contacts: 'Contacts, for any address book',
  tasks: 'Tasks',
  deadlines: 'Deadlines with their histories',
  answers: 'Answers from the documents',
  record: 'Record: each act with the hash of the one before',
};

function indexPage({ matter, files, documents, timeZone, at, context }: Index): string {
  const { clientInfo: client, opposingCounselInfo: counsel } = matter;
  const facts = [
    ['Case No', matter.caseNo ?? NOT_FILED],
    ['Type', matter.type],
    ['Status', `${matter.statusType}, ${matter.status}`],
    ['Client', client.name],
    [
      'Opposing counsel',
      counsel ? [counsel.name, counsel.organization].filter(Boolean).join(', ') : null,
    ],
    ['Judge', matter.judge],
    ['Managing attorney', matter.managingAttorney],
    ['Opened', matter.dateOfOpening],
    ['Date of injury', matter.DOI],
    ['Statute of limitations', matter.SOL],
    ['Packed', `${minuteAt(at.toISOString(), timeZone)} by ${fullName(context.actor)}`],
  ] as const;
  const links = files.flatMap(({ path, part }) => {
    const title = part === null ? undefined : (TITLES[part] ?? (part === 'texts' ? path : null));
    return title ? [pages.linkTo(path, title)] : [];
  });
  const rows = documents.map(({ path, folder, detail }) => [
    pages.escapeHtml(folder),
    pages.linkTo(path, detail.name),
    pages.escapeHtml(detail.size.toLocaleString('en-US')),
  ]);
  const library =
    rows.length === 0
      ? ''
      : `<h2>Documents</h2>\n${pages.tableOf(['Folder', 'Document', 'Bytes'], rows)}`;
  return [
    pages.headOf(matter.caseName),
    pages.factsPage(facts),
    `<nav>${pages.listOf(links)}</nav>\n`,
    pages.paragraph(
      'Texts and emails that were not filed to the matter are not here. To check that nothing was changed since it was packed, open verify.html beside the folder data.',
    ),
    library,
    pages.FOOT,
  ].join('');
}

/** The matter as data, each part a list of what the product itself sends and receives. */
async function* matterData(
  source: PackSource & { parts: readonly PackPart[]; events: readonly CalendarEvent[] },
): AsyncGenerator<string> {
  const { context, parts, events, at } = source;
  const head = {
    format: 'matterdesk',
    version: 1,
    packedAt: at.toISOString(),
    case: source.matter,
  };
  yield JSON.stringify(head).slice(0, -1);
  const wants = (part: PackPart) => parts.includes(part);
  const people: { parties: Party[]; contacts: Contact[] } = wants('contacts')
    ? await readPeople(source)
    : { parties: [], contacts: [] };
  yield* list('parties', people.parties);
  yield* list('contacts', people.contacts);
  yield* list('tasks', wants('tasks') ? await listTasks(source) : []);
  yield* list('events', wants('calendar') ? events : []);
  yield* list('deadlines', wants('deadlines') ? readHistories(context, source.matter.id) : []);
  yield* list('entries', wants('stream') ? entriesOf(source) : []);
  yield '}\n';
}

async function* entriesOf(source: PackSource) {
  for await (const { entry } of itemsOf(source, [...entryKinds])) if (entry) yield entry;
}

async function* list(
  name: string,
  items: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield ']';
}
