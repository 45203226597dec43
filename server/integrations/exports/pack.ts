// Packs of Matterdesk (docs/moving.md): one matter each, as data and with its files.

import { instantOf } from '../../core/dates.ts';
import { parseJson } from '../../core/json.ts';
import {
  readLines,
  type BadRow,
  type RecognizedFile,
  type SourceFile,
  type SourceRow,
  UnreadableExport,
} from './source.ts';
import { readTable } from './tables.ts';

/** The kinds that `matter.json` has, by the list that each is in. */
const LISTS = {
  matters: ['parties', 'contacts'],
  contacts: ['contacts'],
  parties: ['parties'],
  notes: ['entries'],
  calls: ['entries'],
  tasks: ['tasks'],
  events: ['events', 'deadlines'],
} as const;
type ListKind = keyof typeof LISTS;
type List = (typeof LISTS)[ListKind][number];

const MATTER = /^(?:.*\/)?matter\.json$/;
const DOCUMENTS = /^(?:.*\/)?documents\.csv$/;
/** A conversation that was filed, below the folder of `matter.json`. */
const TEXTS = /^(.*\/)?texts\/([^/]+\.html)$/;
const TEXTS_FOLDER = 'Texts';
/** Files with what an import does not take, which are listed as such. */
const NOT_TAKEN = ['record.jsonl', 'deadlines.csv'];

export function isOfPack(path: string): boolean {
  return MATTER.test(path) || DOCUMENTS.test(path) || TEXTS.test(path);
}

/** A file of a pack comes once for each kind that is in it; documents are in the row of `documents.csv`. */
export function recognizePack(files: readonly SourceFile[]): RecognizedFile[] {
  const roots = new Set(
    files.flatMap(({ path }) => (MATTER.test(path) ? [path.slice(0, -'matter.json'.length)] : [])),
  );
  const left = new Set([...roots].flatMap((root) => NOT_TAKEN.map((name) => root + name)));
  return files.flatMap(({ path, size }): RecognizedFile[] => {
    const kinds = MATTER.test(path) ? (Object.keys(LISTS) as ListKind[]) : [];
    const tables = DOCUMENTS.test(path) ? (['documents', 'mails'] as const) : [];
    const [, root = ''] = TEXTS.exec(path) ?? [];
    const texts = TEXTS.test(path) && roots.has(root) ? (['documents'] as const) : [];
    const none = left.has(path) ? [null] : [];
    return [...kinds, ...tables, ...texts, ...none].map((kind) => ({
      path,
      size,
      kind,
      headers: [],
    }));
  });
}

type Data = Record<string, unknown>;
type Head = { id: string; caseName: string; data: Data };

/** @throws UnreadableExport */
export async function* readPack(
  files: readonly SourceFile[],
  source: SourceFile,
  { kind }: RecognizedFile,
): AsyncGenerator<SourceRow | BadRow> {
  if (TEXTS.test(source.path)) yield await readTexts(files, source);
  else if (kind === 'documents' || kind === 'mails') yield* readDocuments(files, source, kind);
  else if (kind !== null && kind in LISTS) yield* readMatter(source, kind as ListKind);
}

async function* readMatter(source: SourceFile, kind: ListKind): AsyncGenerator<SourceRow | BadRow> {
  const head = await readHead(source);
  const lists: readonly List[] = LISTS[kind];
  const file = source.path;
  let row = 0;
  const found: Partial<Record<List, Data[]>> = {};
  for await (const { list, item } of itemsOf(source, lists)) {
    if (kind === 'matters') {
      found[list] = [...(found[list] ?? []), item];
      continue;
    }
    row += 1;
    const cells = kind === 'contacts' ? contactOf(item) : cellsOf(kind, list, { item, head });
    if (cells) yield { file, row, ...cells, isPlain: true };
    else if (kind === 'events' && item['cancelled'] === true)
      yield { file, row, column: null, message: `${CANCELED}: ${textOf(item['title'])}` };
  }
  if (kind !== 'matters') return;
  yield { file, row: 1, ...matterOf(head.data, found), isPlain: true };
  if (head.data['access'] === 'restricted')
    yield { file, row: 2, column: null, message: RESTRICTED };
}

const CANCELED = 'A canceled event stays in the pack';
const RESTRICTED =
  'Access to this case was restricted, and is not here: choose who may see it once it has come';
const CHANGED = 'The file was changed since it was packed, so it cannot be read';

/** Each item has a line of its own, so that a file of any size can be read. */
async function* itemsOf(
  source: SourceFile,
  wanted: readonly List[],
): AsyncGenerator<{ list: List; item: Data }> {
  let list: string | undefined;
  let isFirst = true;
  for await (const line of readLines(source)) {
    const [, name] = /^"(\w+)":\[/.exec(line) ?? [];
    if (name !== undefined) list = name;
    else if (!isFirst && line.startsWith('{') && wanted.includes(list as List))
      yield { list: list as List, item: parsed(withoutEnd(line)) };
    isFirst = false;
  }
}

/** After an item are a comma, the end of its list, or that of the file. */
function withoutEnd(line: string): string {
  const written = line.slice(0, -1);
  const item = line.endsWith(',') ? written : line;
  if (item.endsWith('}]}') && parseJson(item) === undefined) return item.slice(0, -2);
  return item.endsWith(']') ? item.slice(0, -1) : item;
}

function parsed(text: string): Data {
  const value = parseJson(text);
  if (isData(value)) return value;
  throw new UnreadableExport(CHANGED);
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readHead(source: SourceFile): Promise<Head> {
  for await (const line of readLines(source)) {
    const { format, case: data } = parsed(`${line.replace(/,$/, '')}}`);
    if (format !== 'matterdesk' || !isData(data)) break;
    return { id: textOf(data['id']), caseName: textOf(data['caseName']), data };
  }
  throw new UnreadableExport(CHANGED);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}

function nameOf(person: unknown): string {
  if (!isData(person)) return '';
  const { firstName, lastName, name } = person;
  return textOf(name) || [firstName, lastName].map(textOf).filter(Boolean).join(' ');
}

type Cells = Pick<SourceRow, 'cells' | 'rest'>;
type JsonObject = Record<string, unknown>;

function filled(cells: JsonObject, rest: JsonObject = {}): Cells {
  const kept = (values: JsonObject) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => {
        const text = typeof value === 'number' || value === true ? String(value) : textOf(value);
        return text.trim() === '' ? [] : [[key, text]];
      }),
    );
  return { cells: kept(cells), rest: kept(rest) };
}

function matterOf(
  data: Data,
  { parties = [], contacts = [] }: Partial<Record<List, Data[]>>,
): Cells {
  const client = isData(data['clientInfo']) ? data['clientInfo'] : {};
  const counsel = isData(data['opposingCounselInfo']) ? data['opposingCounselInfo'] : {};
  const party = parties.find(({ embedded }) => embedded === 'clientInfo');
  const of = (party?.['contact'] ?? {}) as Data;
  const own = contacts.find(({ id }) => id === of['id']);
  return filled(
    {
      id: data['id'],
      number: data['caseNo'],
      name: data['caseName'],
      client: client['name'],
      clientId: of['id'],
      ...pick(data, ['type', 'statusType', 'status', 'judge', 'dateOfOpening']),
      ...pick(data, ['managingAttorney', 'DOI', 'SOL', 'daysOpen']),
      assigned: listOf(data['assignedUsers']).map(nameOf).join('; '),
      counselOrganization: counsel['organization'],
      counselName: counsel['name'],
      counselPhone: counsel['phoneNumber'],
      counselEmail: counsel['email'],
      counselAddress: counsel['address'],
    },
    { ...clientBeside(client, own), 'No statute applies': data['noStatute'] },
  );
}

/** A client who comes as a contact has these there, unless the case says them in another way. */
function clientBeside(client: Data, contact: Data = {}): JsonObject {
  const { phoneNumber, email, address } = client;
  const isIn = (list: unknown, value: unknown) => texts(list).includes(textOf(value));
  return {
    ...(!isIn(contact['phoneNumbers'], phoneNumber) && { 'Client phone': phoneNumber }),
    ...(!isIn(contact['emails'], email) && { 'Client email': email }),
    ...(contact['address'] !== address && { 'Client address': address }),
  };
}

function pick(data: Data, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, data[key]]));
}

function contactOf(item: Data): Cells {
  const [emails, phones] = [texts(item['emails']), texts(item['phoneNumbers'])];
  return filled(
    {
      ...pick(item, ['id', 'kind', 'name', 'address', 'fax', 'dateOfBirth', 'notes']),
      ...pick(item, ['salutation', 'letterName']),
      organization: item['organisation'],
      otherNames: texts(item['otherNames']).join('; '),
      email: emails[0],
      email2: emails[1],
      phone: phones[0],
      phone2: phones[1],
      phone3: phones[2],
      moreEmails: emails.slice(2).join('; '),
      morePhones: phones.slice(3).join('\n'),
      textConsent: consentOf(item['textConsent']),
    },
    { 'Linked to': listOf(item['links']).map(linkOf).filter(Boolean).join('; ') },
  );
}

/** The time, and the wording below it. */
function consentOf(consent: unknown): string {
  return isData(consent) ? `${textOf(consent['at'])}\n${textOf(consent['wording'])}` : '';
}

function linkOf(link: unknown): string {
  return isData(link) ? `${nameOf(link['contact'])} (${textOf(link['relation'])})` : '';
}

type PlacedItem = { item: Data; head: Head };

/** Undefined for an item of another kind. */
function cellsOf(
  kind: Exclude<ListKind, 'matters' | 'contacts'>,
  list: List,
  { item, head }: PlacedItem,
): Cells | undefined {
  const matter = { matter: head.id, matterName: head.caseName };
  switch (kind) {
    case 'parties': {
      const contact = isData(item['contact']) ? item['contact'] : {};
      const named = { contact: contact['id'], contactName: contact['name'] };
      return filled({ ...matter, ...named, ...pick(item, ['id', 'role', 'note']) });
    }
    case 'tasks':
      return filled({
        ...matter,
        ...pick(item, ['id', 'name', 'doneAt']),
        text: item['description'],
        start: item['startTime'],
        due: item['endTime'],
        assignedTo: nameOf(item['assignedTo']),
        done: typeof item['doneAt'] === 'string',
        ...(item['type'] !== 'intake' && { column: item['type'] }),
      });
    case 'notes':
    case 'calls':
      return entryOf(kind, item, matter);
    case 'events':
      return list === 'events' ? eventOf(item, matter) : deadlineOf(item['deadline'], matter);
  }
}

function entryOf(kind: 'notes' | 'calls', item: Data, matter: JsonObject): Cells | undefined {
  if (item['deleted'] === true || (item['kind'] === 'call') !== (kind === 'calls'))
    return undefined;
  const common = {
    ...matter,
    ...pick(item, ['id', 'at', 'text', 'pinned']),
    author: nameOf(item['author']),
    mentions: listOf(item['mentions']).map(nameOf).join('; '),
  };
  const rest = { Files: texts(item['files']).map(placeOfUrl).join('; ') };
  if (kind === 'calls') {
    const call = isData(item['call']) ? item['call'] : {};
    const other = nameOf(call['contact']) || call['name'];
    return filled(
      { ...common, with: other, ...pick(call, ['direction', 'number', 'seconds', 'result']) },
      rest,
    );
  }
  const answer = isData(item['answer']) ? item['answer'] : undefined;
  const text = [answer && quotedFrom(answer), textOf(item['text'])].filter(Boolean).join('\n\n');
  const isOther = item['kind'] === 'memo' || item['kind'] === 'filing';
  return filled({ ...common, ...(isOther && { kind: item['kind'] }), text }, rest);
}

/** The question, the quotation, and the file and the page that it is from. */
function quotedFrom({ question, quotation, url, page }: Data): string {
  const place = typeof url === 'string' ? `\n(${placeOfUrl(url)}, page ${Number(page)})` : '';
  return `${textOf(question)}\n\n“${textOf(quotation)}”${place}`;
}

/** 'Medical/Records.pdf' for the address of a file. */
function placeOfUrl(url: string): string {
  const [path = ''] = url.split('?');
  const segments = path.split('/').slice(-2);
  try {
    return segments.map(decodeURIComponent).join('/');
  } catch {
    return segments.join('/');
  }
}

/** Reminders of an event without any. */
const NONE = 'none';

function eventOf(item: Data, matter: JsonObject): Cells | undefined {
  if (item['cancelled'] === true) return undefined;
  const people = listOf(item['people']).map(nameOf).join('; ');
  const guests = listOf(item['guests']).map(guestOf).join(', ');
  return filled(
    {
      ...matter,
      ...pick(item, ['id', 'title', 'kind', 'start', 'end', 'location', 'allDay']),
      ...pick(item, ['link', 'timeZone']),
      reminders: Array.isArray(item['reminders']) ? item['reminders'].join(' ') || NONE : '',
      text: item['notes'],
      people,
    },
    { Guests: guests, Repeats: item['recurrence'] },
  );
}

/** 'Dana Whitlock <dana@home.example>' */
function guestOf(guest: unknown): string {
  if (!isData(guest)) return '';
  const [name, email] = [textOf(guest['name']), textOf(guest['email'])];
  return name === '' ? email : `${name} <${email}>`;
}

/**
 * Deadlines become events, since their verification cannot be carried over. The SOL of the matter makes its limitation.
 */
function deadlineOf(deadline: unknown, matter: JsonObject): Cells | undefined {
  if (!isData(deadline) || deadline['kind'] === 'limitation') return undefined;
  const [date, time] = [textOf(deadline['date']), textOf(deadline['time'])];
  const zone = textOf(deadline['timeZone']) || 'UTC';
  const start = time === '' ? date : instantOf(`${date}T${time}`, zone).toISOString();
  const title = `Deadline: ${textOf(deadline['title'])}`;
  const owner = nameOf(deadline['owner']);
  return filled(
    {
      ...matter,
      id: deadline['id'],
      title,
      kind: 'other',
      start,
      allDay: time === '',
      text: deadline['note'],
      people: owner,
    },
    {
      Status: deadline['status'],
      'Kind of deadline': deadline['kind'],
      Hard: deadline['hard'] === true ? 'yes' : 'no',
      'Working date': deadline['workingDate'],
      Second: nameOf(deadline['second']),
      Verified: stampOf(deadline['verified']),
    },
  );
}

/** 'Ann Lee, 2026-01-02T03:04:05.000Z' */
function stampOf(stamp: unknown): string {
  if (!isData(stamp)) return '';
  return [nameOf(stamp['by']), textOf(stamp['at'])].filter(Boolean).join(', ');
}

const MAIL = 'message/rfc822';

/** Rows of `documents.csv`: emails are files of a type. */
async function* readDocuments(
  files: readonly SourceFile[],
  source: SourceFile,
  kind: 'documents' | 'mails',
): AsyncGenerator<SourceRow | BadRow> {
  const root = source.path.slice(0, -'documents.csv'.length);
  const matter = files.find(({ path }) => path === `${root}matter.json`);
  if (!matter) throw new UnreadableExport('The pack has no matter.json');
  const { id, caseName } = await readHead(matter);
  let headers: string[] = [];
  for await (const line of readTable(source, source.path)) {
    if ('headers' in line) ({ headers } = line);
    else if ('message' in line) yield line;
    else {
      const data = Object.fromEntries(headers.map((header, at) => [header, line.cells[at] ?? '']));
      const { path = '', type = '', name = '', folder = '', uploaded = '', by = '' } = data;
      if ((type === MAIL) !== (kind === 'mails')) continue;
      const at = { file: source.path, row: line.row };
      const found = fileOf(files, root, { path, bytes: Number(data['bytes']) });
      if (!found) yield { ...at, column: 'path', message: `${path} is not in the pack` };
      else {
        const subject = kind === 'mails' ? name.replace(/\.eml$/i, '') : '';
        const placed = { matter: id, matterName: caseName, path, at: uploaded };
        const cells = filled({ ...placed, subject, name, folder, author: by });
        const { size, open } = found;
        yield { ...at, ...cells, bytes: kind === 'mails' ? { size, open } : found };
      }
    }
  }
}

/** A page of texts, which becomes a document. */
async function readTexts(files: readonly SourceFile[], source: SourceFile): Promise<SourceRow> {
  const { path: file } = source;
  const [, root = '', name] = TEXTS.exec(file) ?? [];
  const matter = files.find(({ path }) => path === `${root}matter.json`);
  if (!matter) throw new UnreadableExport('The pack has no matter.json');
  const { id, caseName } = await readHead(matter);
  const placed = { matter: id, matterName: caseName, folder: TEXTS_FOLDER, name, path: file };
  return { file, row: 1, ...filled(placed), bytes: source };
}

type ListedFile = { path: string; bytes: number };

/** In the same volume, else in another one. */
function fileOf(
  files: readonly SourceFile[],
  root: string,
  { path, bytes }: ListedFile,
): SourceFile | undefined {
  const below = path.replace(/^data\//, '');
  const byPath = indexOf(files);
  const own = byPath.get(below)?.find((file) => file.path === root + below);
  return own ?? byPath.get(below)?.find(({ size }) => size === bytes);
}

const indexes = new WeakMap<readonly SourceFile[], Map<string, SourceFile[]>>();

/** Files by their path below the folder `data`. */
function indexOf(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  let index = indexes.get(files);
  if (!index) {
    index = Map.groupBy(files, ({ path }) => path.replace(/^(?:[^/]*\/)?data\//, ''));
    indexes.set(files, index);
  }
  return index;
}
