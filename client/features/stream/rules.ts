import type { User } from '@matterdesk/contract/accounts.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { folded } from '@matterdesk/contract/normalization.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import { escapeRegExp } from '@matterdesk/contract/search.ts';
import {
  type CallResult,
  type EntryKind,
  type StreamEntry,
  type StreamItem,
  type StreamKind,
  streamKinds,
} from '@matterdesk/contract/stream.ts';
import { fileOfLink } from '../../core/file-link.ts';
import { fullName } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import type { SourceText } from '../../core/slots.ts';
import { counted, dayInWords } from '../../core/words.ts';
import { formatDay, localDay } from '../../ui/days.ts';

type Chip = { label: string; kinds: readonly StreamKind[] };

/** The kinds that a reader filters by. */
export const chips: readonly Chip[] = [
  { label: 'All', kinds: [] },
  { label: 'Notes', kinds: ['note', 'memo', 'filing'] },
  { label: 'Calls', kinds: ['call'] },
  { label: 'Mail', kinds: ['mail'] },
  { label: 'Texts', kinds: ['text'] },
  { label: 'Files', kinds: ['file'] },
  { label: 'Tasks', kinds: ['task'] },
  { label: 'Dates', kinds: ['event', 'deadline'] },
];

/** The known kinds of a list in an address, in their own order. */
export function readKinds(text: string): StreamKind[] {
  const named = new Set(text.split(','));
  return streamKinds.filter((kind) => named.has(kind));
}

/** Whether the address asks for changes that people do not see by default. */
export function wantsAll(text: string): boolean {
  return text.split(',').includes('all');
}

/** The chip of these kinds; null for a choice that no chip makes. */
export function chipOf(kinds: readonly StreamKind[]): Chip | null {
  const isSame = (chip: Chip) =>
    chip.kinds.length === kinds.length && chip.kinds.every((kind) => kinds.includes(kind));
  return chips.find(isSame) ?? null;
}

/** Items of a chip; of all of them for 'All'. */
export function countOf({ kinds }: Chip, counts: Readonly<Record<string, number>>): number {
  const counting = kinds.length === 0 ? Object.keys(counts) : kinds;
  return counting.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** A row of the stream: an item, or changes that are folded into a line; `heading` opens a day. */
type Row = { id: string; day: string; opensDay: boolean; items: readonly StreamItem[] };

/** Trainings and moves between columns fold where they are next to each other; changed details of the matter do not. */
function isFoldable({ source, link }: StreamItem): boolean {
  return source === 'change' && link !== null;
}

/** @param opened ids of rows whose changes are shown one by one */
export function rowsOf(items: readonly StreamItem[], opened: ReadonlySet<string> | 'all'): Row[] {
  const rows: Row[] = [];
  let run: StreamItem[] = [];
  const end = () => {
    const [first] = run;
    if (first === undefined) return;
    const id = `fold ${run.at(-1)?.id ?? first.id}`;
    if (run.length === 1 || opened === 'all' || opened.has(id))
      for (const item of run) rows.push(rowOf([item]));
    else rows.push(rowOf(run, id));
    run = [];
  };
  for (const item of items) {
    const [first] = run;
    if (first !== undefined && dayOf(first.at) !== dayOf(item.at)) end();
    if (isFoldable(item)) run.push(item);
    else {
      end();
      rows.push(rowOf([item]));
    }
  }
  end();
  return rows.map((row, at) => ({ ...row, opensDay: rows[at - 1]?.day !== row.day }));
}

function rowOf(items: readonly StreamItem[], id = items[0]?.id ?? ''): Row {
  return { id, day: dayOf(items[0]?.at ?? ''), opensDay: false, items };
}

function dayOf(at: string): string {
  return localDay(new Date(at));
}

/** 'Today' and 'Friday, November 20'; older days have the second part alone. */
export function headingOf(day: string, today: string): { name: string; date: string } {
  const name = dayInWords(day, today);
  const date = formatDay(day, 'long');
  return name.startsWith(date) ? { name: '', date: name } : { name, date };
}

/** '4 files changed, 2 tasks moved' */
export function foldInWords(items: readonly StreamItem[]): string {
  const groups = Map.groupBy(items, (item) => `${nounOf(item)} ${item.kind}`);
  const words = [...groups.values()].map(([first, ...others]) =>
    first ? `${counted(others.length + 1, nounOf(first))} ${first.kind}` : '',
  );
  return words.join(', ');
}

function nounOf({ source, link }: StreamItem): string {
  if (source !== 'change') return source;
  return link?.startsWith('/dashboard/tasks') === true ? 'task' : 'file';
}

const VERBS: Record<string, Partial<Record<string, string>>> = {
  created: { file: 'added', event: 'scheduled', deadline: 'added', check: 'ran' },
  changed: {},
  done: { task: 'completed', deadline: 'met', change: 'exported' },
  moved: {},
  deleted: {},
  filed: {},
};

const NOTED: Record<Exclude<EntryKind, 'call'>, string> = {
  note: 'wrote a note',
  memo: 'wrote a memo',
  filing: 'noted a filing',
};

/** A person, an act and a thing: 'Jun Tanaka', 'completed', 'Order scene photographs'. */
type ActWords = { who: string; does: string; thing: string };

/** A title that is a sentence by itself. */
const FILING_UNDONE = 'Filing undone';

/** @param me the reader, who is 'You' */
export function wordsOf(item: StreamItem, me: string | undefined): ActWords {
  const { entry, source, kind, title } = item;
  const who = item.actor ? nameFor(item.actor, me) : 'Matterdesk';
  if (entry?.deleted) return { who: title, does: '', thing: '' };
  if (entry?.answer) return { who, does: 'asked', thing: titleFrom(entry.answer.question) };
  if (entry && entry.kind !== 'call') return { who, does: NOTED[entry.kind], thing: '' };
  if (entry) return { who, ...callInWords(entry) };
  if (isPrivate(item)) return { who, does: title, thing: '' };
  // An entry that was moved says so in its title.
  if (source === 'change' && kind === 'moved' && item.link === null)
    return { who: title, does: `by ${lowerYou(who)}`, thing: '' };
  if (source === 'file' && kind === 'changed' && title === FILING_UNDONE)
    return { who: title, does: `by ${lowerYou(who)}`, thing: '' };
  if (source === 'mail' || source === 'text')
    return { who: title, does: kind === 'filed' ? `filed by ${lowerYou(who)}` : '', thing: '' };
  return { who, does: VERBS[kind]?.[source] ?? kind, thing: title };
}

function lowerYou(who: string): string {
  return who === 'You' ? 'you' : who;
}

function callInWords({ call }: StreamEntry): Omit<ActWords, 'who'> {
  const other = call?.contact?.name ?? call?.name ?? call?.number ?? 'someone';
  return {
    does: call?.direction === 'in' ? `took a call from ${other}` : `called ${other}`,
    thing: '',
  };
}

/** Whether the item is a colleague's unfiled mail or text: only its existence and time are shown. */
export function isPrivate({ source, link, excerpt, text, kind }: StreamItem): boolean {
  const isMessage = source === 'mail' || source === 'text';
  return isMessage && kind !== 'filed' && link === null && excerpt === '' && text === undefined;
}

/** Each result in words, and the digit that sets it. */
export const results: readonly { value: CallResult; label: string }[] = [
  { value: 'reached', label: 'Reached' },
  { value: 'leftMessage', label: 'Left message' },
  { value: 'noAnswer', label: 'No answer' },
  { value: 'busy', label: 'Busy' },
  { value: 'wrongNumber', label: 'Wrong number' },
  { value: 'callBack', label: 'Call back' },
];

export function resultInWords(result: CallResult): string {
  return results.find(({ value }) => value === result)?.label ?? result;
}

function nameFor(person: Person, me: string | undefined): string {
  return person.id === me ? 'You' : fullName(person);
}

/** Minutes from which an entry counts as dated back. */
const DATED_BACK_MINUTES = 10;

/** Whether what happened was written down so much later that both times are shown. */
export function isDatedBack({ at, enteredAt }: Pick<StreamEntry, 'at' | 'enteredAt'>): boolean {
  return Math.abs(Date.parse(enteredAt) - Date.parse(at)) > DATED_BACK_MINUTES * 60_000;
}

/** Whether an item is dated by its day alone, as imports write it: the start of a day of the firm. */
export function isDayAlone(at: string, timeZone: string): boolean {
  const isWhole = at.endsWith(':00.000Z');
  return isWhole && new Date(at).toLocaleTimeString('en-GB', { timeZone }) === '00:00:00';
}

const LONG_TEXT = 320;
const LONG_LINES = 4;

/** Whether a note is folded to four lines. */
export function isLong(text: string): boolean {
  return text.length > LONG_TEXT || text.split('\n').length > LONG_LINES;
}

/** Characters before which a period ends an abbreviation rather than a sentence. */
const OPENING = /^.{12,}?(?:[.?!](?=\s|$)|(?=\n|$))/u;

/** The first sentence of a text, and what follows it. */
export function splitOpening(text: string): [opening: string, rest: string] {
  const [opening = text] = OPENING.exec(text) ?? [];
  return [opening, text.slice(opening.length)];
}

/** A text split at its mentions: every second part is one. */
export function splitMentions(text: string, people: readonly Person[]): string[] {
  if (people.length === 0) return [text];
  const names = people
    .map((person) => `@${fullName(person)}`)
    .toSorted((a, b) => b.length - a.length)
    .map(escapeRegExp);
  return text.split(new RegExp(`(${names.join('|')})`, 'gu'));
}

/** Ids of the people whom a text mentions by name. */
export function mentionsIn(text: string, people: readonly Person[]): string[] {
  const named = new Set(splitMentions(text, people).filter((_, at) => at % 2 === 1));
  return people.filter((person) => named.has(`@${fullName(person)}`)).map(({ id }) => id);
}

/** The beginning of a name after '@' before the cursor; null where no one is being mentioned. */
export function mentionAt(text: string, cursor: number): { from: number; typed: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'’.-]{0,30}(?: [\p{L}\p{N}'’.-]{0,30})?)$/u.exec(
    text.slice(0, cursor),
  );
  const [, typed] = found ?? [];
  return typed === undefined ? null : { from: cursor - typed.length - 1, typed };
}

const MAX_OFFERED = 6;

/** People whose first, last or whole name begins with what was typed. */
export function offeredTo<P extends Person>(typed: string, people: readonly P[]): P[] {
  const wanted = folded(typed);
  const begins = (name: string) => folded(name).startsWith(wanted);
  return people
    .filter((person) => begins(fullName(person)) || begins(person.lastName))
    .slice(0, MAX_OFFERED);
}

/** The page of a link: a file opens over its case. */
export function addressOf(link: string): string {
  const file = fileOfLink(link);
  return file ? paths.fileOf(file.caseId, file.folder, file.name) : link;
}

/** The words of an entry: its text, after the question and the quotation of an answer. */
function textOf({ text, answer }: StreamEntry): string {
  if (!answer) return text;
  const source = [fileOfLink(answer.url ?? '')?.name, `page ${answer.page}`].filter(Boolean);
  return `${answer.question}\n“${answer.quotation}” (${source.join(', ')})\n${text}`.trim();
}

/** Characters of the note of a task, an event or a deadline. */
const MAX_NOTE_LENGTH = 4000;

/** The text of an item, from which a task, an event or a deadline is made. */
export function madeFrom({ title, excerpt, entry, text: message }: StreamItem): SourceText {
  const text = entry ? textOf(entry) : (message?.body ?? [title, excerpt].join('\n').trim());
  return {
    title: titleFrom(text),
    text:
      text.length > MAX_NOTE_LENGTH
        ? `${text.slice(0, MAX_NOTE_LENGTH - 1).toWellFormed()}…`
        : text,
    source: entry && !entry.deleted ? { type: 'entry', id: entry.id } : null,
  };
}

type MadeItem = StreamEntry['made'][number];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** 'Request the October bills · Done'; an event says its day. */
export function madeInWords({ title, state }: MadeItem): string {
  return `${title} · ${DAY.test(state) ? formatDay(state) : state}`;
}

/** The address of what was made; null for a canceled event, which is on no day of the calendar. */
export function addressOfMade(caseId: string, { type, id, state }: MadeItem): string | null {
  if (type === 'task') return paths.cardOf(caseId, id);
  if (type === 'deadline') return `${paths.calendar}?view=deadlines&deadline=${id}`;
  return DAY.test(state) ? paths.event(id, state) : null;
}

/** The first line of a text, as the title of what is made from it. */
function titleFrom(text: string): string {
  const [first = ''] = text.trim().split('\n');
  return first.length <= 100 ? first : `${first.slice(0, 99).trimEnd()}…`;
}

/** 'No calls match' */
export function noMatch(chip: Chip | null, hasSearch: boolean): string {
  if (!chip || chip.kinds.length === 0) return 'Nothing matches';
  const noun = chip.label.toLowerCase();
  return hasSearch ? `No ${noun} match` : `No ${noun} yet`;
}

export type MadeKind = 'task' | 'deadline' | 'event';

/** Acts on an item; `actsOn` says which the reader may do. */
export type Act =
  | { does: 'make'; what: MadeKind }
  | { does: 'pin' | 'edit' | 'move' | 'delete' | 'unfile' | 'versions' | 'copy' | 'byPerson' };

/** Acts of the signed-in user on an item, and what may be made from it. */
export type Acts = { acts: readonly Act['does'][]; makeable: readonly MadeKind[] };

type Reader = Pick<User, 'id' | 'role'> & {
  permissions: Pick<Permissions, 'createCases' | 'editTasks' | 'editCalendar'>;
};

/** A hint for the menu; the server checks each act. */
export function actsOn(item: StreamItem, reader: Reader): Acts {
  const { entry, actor } = item;
  const { createCases, editTasks, editCalendar } = reader.permissions;
  const isOwn = (entry?.author ?? actor)?.id === reader.id;
  const isKeeper = isOwn || createCases;
  const makeable = [
    ...(editTasks ? (['task'] as const) : []),
    ...(editCalendar ? (['deadline', 'event'] as const) : []),
  ];
  const byPerson = actor && actor.id !== '' ? (['byPerson'] as const) : [];
  if (entry && !entry.deleted)
    return {
      acts: [
        ...(isKeeper ? (['pin', 'move'] as const) : []),
        ...(isOwn ? (['edit'] as const) : []),
        'copy',
        ...byPerson,
        ...(isOwn || reader.role === 'admin' ? (['delete'] as const) : []),
      ],
      makeable,
    };
  // Only its owner files a text; anyone who handles matters can also remove it.
  const isFiledText = item.source === 'text' && item.kind === 'filed';
  return {
    acts: [...byPerson, ...(isFiledText && isKeeper ? (['unfile'] as const) : [])],
    makeable,
  };
}
