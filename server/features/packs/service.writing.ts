// Writes the generated files of a pack, each while it is read.

import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { type Case, NOT_FILED } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { Contact, Party } from '@matterdesk/contract/contacts.ts';
import type { PackPart } from '@matterdesk/contract/packs.ts';
import {
  entryKinds,
  type StreamItem,
  type StreamKind,
  streamKinds,
} from '@matterdesk/contract/stream.ts';
import type { ActorContext } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { minuteAt } from '../../core/clocks.ts';
import { writeCsv } from '../../http/csv.ts';
import { Names } from '../../integrations/bags/names.ts';
import { writeContactCards } from '../../integrations/icalendar/contact-card.ts';
import { streamActivity } from '../audit/service.ts';
import { writeEvents } from '../calendar/exchange/service.ts';
import { listParties } from '../contacts/service.parties.ts';
import { readContacts } from '../contacts/service.ts';
import { readHistories } from '../deadlines/service.export.ts';
import { filterOf, listItems } from '../stream/service.ts';
import { readBoard } from '../tasks/service.ts';
import * as pages from './rules.pages.ts';
import { cardOf, type Chain } from './rules.ts';

/** Items of the stream that are read at once. */
const BATCH = 500;

export type Made = {
  context: ActorContext;
  matter: Case;
  /** The firm's, in which pages say when things happened. */
  timeZone: string;
  at: Date;
};

/** Items that everyone with access sees, newest first. */
async function* itemsOf(
  { context, matter }: Made,
  kinds: readonly StreamKind[] | 'all',
): AsyncGenerator<StreamItem> {
  const query = { kinds: kinds === 'all' ? kinds : kinds.join(',') };
  const filter = { ...(await filterOf(context, matter.id, query)), isForAll: true };
  const wanted = kinds === 'all' ? [...streamKinds] : [...kinds];
  let after: Pick<StreamItem, 'at' | 'id'> | undefined;
  for (;;) {
    const items = await listItems(context, filter, { kinds: wanted, limit: BATCH, after });
    yield* items;
    after = items.at(-1);
    if (items.length < BATCH) return;
  }
}

export async function* streamPage(made: Made): AsyncGenerator<string> {
  yield pages.headOf(`Stream of ${made.matter.caseName}`);
  yield pages.paragraph(`Newest first. Times are those of ${made.timeZone}.`);
  for await (const item of itemsOf(made, 'all')) yield pages.itemOf(item, made.timeZone);
  yield pages.FOOT;
}

export async function* answersPage(made: Made): AsyncGenerator<string> {
  yield pages.headOf(`Answers in ${made.matter.caseName}`);
  yield pages.paragraph('Questions that were asked of the documents, each with its quotation.');
  for await (const { entry, at } of itemsOf(made, [...entryKinds]))
    if (entry?.answer) {
      const when = `${minuteAt(at, made.timeZone)}, ${fullName(entry.author)}`;
      yield pages.article(when, pages.answerOf(entry.answer), entry.text);
    }
  yield pages.FOOT;
}

type Conversation = { path: string; size: number; write: () => string[] };

/** Texts that are filed to the matter, a page for each pair of numbers, oldest first. */
export async function listConversations(made: Made): Promise<Conversation[]> {
  const names = new Names();
  const byNumbers = new Map<string, string[]>();
  for await (const { at, text } of itemsOf(made, ['text'])) {
    if (!text) continue;
    const key = [text.from, text.to].toSorted().join(' and ');
    const more = text.media.map(({ mimeType }) => `${mimeType} (not in this pack)`);
    const when = `${minuteAt(at, made.timeZone)} · ${text.from} to ${text.to} · ${text.status}`;
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

export function calendar(events: readonly CalendarEvent[], at: Date): string[] {
  return [writeEvents(events, at)];
}

async function readPeople({ context, matter }: Made) {
  const parties = await listParties(context, matter.id);
  const ids = [...new Set(parties.map(({ contact }) => contact.id))];
  return { parties, contacts: await readContacts(context, ids) };
}

export async function* contacts(made: Made): AsyncGenerator<string> {
  const { parties, contacts: found } = await readPeople(made);
  yield writeContactCards(found.map((contact) => cardOf(contact, parties)));
}

async function listTasks({ context, matter }: Made) {
  const { columns, columnOrder } = await readBoard(context, matter.id);
  return columnOrder.flatMap((id) => columns[id].items);
}

export async function* tasks(made: Made): AsyncGenerator<string> {
  const columns = ['name', 'column', 'assigned to', 'starts', 'ends', 'done', 'description'];
  const rows = (await listTasks(made)).map((task) => [
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
export async function* deadlines({ context, matter }: Made): AsyncGenerator<string> {
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

export async function* record({ context, matter }: Made, chain: Chain): AsyncGenerator<string> {
  for await (const activity of streamActivity(context, matter.id)) yield chain.lineOf(activity);
}

type Listed = { path: string; part: PackPart | null };
type Index = Made & {
  files: readonly Listed[];
  documents: readonly (Listed & { folder: string; detail: { name: string; size: number } })[];
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

export function indexPage({ matter, files, documents, timeZone, at, context }: Index): string {
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
export async function* matter(
  made: Made & { parts: readonly PackPart[]; events: readonly CalendarEvent[] },
): AsyncGenerator<string> {
  const { context, parts, events, at } = made;
  const head = { format: 'matterdesk', version: 1, packedAt: at.toISOString(), case: made.matter };
  yield JSON.stringify(head).slice(0, -1);
  const wants = (part: PackPart) => parts.includes(part);
  const people: { parties: Party[]; contacts: Contact[] } = wants('contacts')
    ? await readPeople(made)
    : { parties: [], contacts: [] };
  yield* list('parties', people.parties);
  yield* list('contacts', people.contacts);
  yield* list('tasks', wants('tasks') ? await listTasks(made) : []);
  yield* list('events', wants('calendar') ? events : []);
  yield* list('deadlines', wants('deadlines') ? readHistories(context, made.matter.id) : []);
  yield* list('entries', wants('stream') ? entriesOf(made) : []);
  yield '}\n';
}

async function* entriesOf(made: Made) {
  for await (const { entry } of itemsOf(made, [...entryKinds])) if (entry) yield entry;
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
