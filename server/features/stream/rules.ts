// Entries of a matter, and the items of its stream.

import { DAY_LENGTH } from '@matterdesk/contract/calendar.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import {
  type AnswerInput,
  type EntryKind,
  IN_FUTURE,
  type NewEntry,
  otherSources,
  type StreamEntry,
  type StreamKind,
  type StreamSource,
} from '@matterdesk/contract/stream.ts';
import type { Actor } from '../../core/actor.ts';
import { invalidField, type Refusal } from '../../core/refusal.ts';
import { fold } from '../../db/search.ts';

/** Clocks of browsers that are this much ahead still say now, in milliseconds. */
const AHEAD_MS = 60_000;
const EXCERPT = 400;

const entryNames: Record<EntryKind, string> = {
  note: 'Note',
  call: 'Call',
  memo: 'Memo',
  filing: 'Filing',
};

export type EntryContent = Pick<NewEntry, 'kind' | 'text' | 'call'> & {
  answer: Pick<AnswerInput, 'question' | 'quotation'> | null;
};

/** @returns why an entry cannot be saved as it is */
export function problemOf({ kind, text, call, answer }: EntryContent): Refusal | undefined {
  if ((kind === 'call') !== (call !== null))
    return invalidField(
      'call',
      kind === 'call' ? 'Direction is required' : 'Only calls have a direction',
    );
  if (answer && kind !== 'memo') return invalidField('answer', 'Only memos have an answer');
  if (text === '' && !call?.result && !answer) return invalidField('text', 'Text is required');
  return undefined;
}

/** When an entry happened. @throws Refusal invalidInput for a time to come */
export function timeOf(at: string | null, now: Date): Date {
  if (at === null) return now;
  const time = new Date(at);
  if (time.getTime() > now.getTime() + AHEAD_MS) throw invalidField('at', IN_FUTURE);
  return time > now ? now : time;
}

/** The author alone edits; admins may also delete. */
export function mayEdit(actor: Actor, { author }: StreamEntry): boolean {
  return author.id === actor.id;
}

export function mayDelete(actor: Actor, entry: StreamEntry): boolean {
  return mayEdit(actor, entry) || actor.role === 'admin';
}

export function mayPlace(actor: Actor, entry: StreamEntry): boolean {
  return mayEdit(actor, entry) || actor.permissions.createCases;
}

/** The person who was called, as far as the reader may know. */
function callerOf({ call }: StreamEntry): string {
  return call?.contact?.name || call?.name || call?.number || '';
}

/** 'Call with Dana Whitlock', 'Note deleted by Ama Owusu'. */
export function titleOf(entry: StreamEntry, deletedBy: string | null): string {
  const name = entryNames[entry.kind];
  if (entry.deleted) return `${name} deleted by ${deletedBy ?? 'someone'}`;
  const caller = callerOf(entry);
  return caller === '' ? name : `${name} with ${caller}`;
}

const VERSION = /\?version=([1-9]\d{0,8})$/;

/** The url of a file, and the version after it; undefined for the newest one. */
export function splitVersion(url: string): { url: string; version: number | undefined } {
  const [query = '', version] = VERSION.exec(url) ?? [];
  return {
    url: url.slice(0, url.length - query.length),
    version: version === undefined ? undefined : Number(version),
  };
}

/** An entry in words: its text, after the question and the quotation that its author added to the stream. */
export function wordsOf({ text, answer }: Pick<StreamEntry, 'text' | 'answer'>): string {
  return [...(answer ? [answer.question, `“${answer.quotation}”`] : []), text]
    .filter((part) => part !== '')
    .join('\n');
}

export function excerptOf(text: string): string {
  // A cut may part the two units of one sign, which the database refuses.
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed().trimEnd()}…` : text;
}

const states: Readonly<Record<string, string>> = {
  ...columnTitles,
  done: 'Done',
  open: 'Open',
  vacated: 'Vacated',
  canceled: 'Canceled',
};

/** A task's column, a deadline's status; the day of an event stays, for the reader's own calendar. */
export function stateInWords(state: string): string {
  return states[state] ?? state;
}

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  imported: 'created',
  moved: 'moved',
  completed: 'done',
  complete: 'done',
  deleted: 'deleted',
  canceled: 'deleted',
  filed: 'filed',
  exported: 'done',
};

/** Few verbs for all acts of the record; a mail is a file that was filed. */
export function verbOf({ kind, action }: { kind: StreamKind; action: string }): string {
  return kind === 'mail' ? 'filed' : (verbs[action] ?? 'changed');
}

const sources: readonly string[] = otherSources;

export function sourceOf(kind: StreamKind): StreamSource {
  return sources.includes(kind) ? (kind as StreamSource) : 'entry';
}

type Act = { kind: StreamKind; entity: string; entity_id: string | null } & States;
type States = { before: unknown; after: unknown };

function stateOf({ before, after }: States): Record<string, unknown> {
  return { ...(before as object | null), ...(after as object | null) };
}

function textIn(state: Record<string, unknown>, ...names: string[]): string {
  return names.map((name) => state[name]).find((one) => typeof one === 'string') ?? '';
}

const checkTitle = 'Conflict check';
const undoneTitle = 'Filing undone';

/** The name of the act's subject. */
export function titleOfAct(act: Act): string {
  if (act.kind === 'check') return checkTitle;
  if (act.entity === 'paper') return undoneTitle;
  return textIn(stateOf(act), 'name', 'title', 'caseName');
}

/** The folder of a file, the name of a paper, the reason of a change. */
export function excerptOfAct(act: Act): string {
  const state = stateOf(act);
  if (act.entity === 'paper') return textIn(state, 'name');
  if (act.entity === 'file') return textIn(state, 'reason', 'folder');
  return excerptOf(
    textIn(act.after === null ? {} : (act.after as Record<string, unknown>), 'reason'),
  );
}

type Reader = { caseId: string; names: ReadonlyMap<string, string> };
type EntryChange = { from?: string; to?: string; kind?: EntryKind; reason?: string };

/** 'Note moved to Doe v. Roe'; a matter that the reader does not see has no name, id or reason. */
export function moveTitle(after: unknown, { caseId, names }: Reader): string {
  const { from = '', to = '', kind = 'note' } = after as EntryChange;
  const isHere = from === caseId;
  const other = names.get(isHere ? to : from) ?? 'another matter';
  return `${entryNames[kind]} moved ${isHere ? 'to' : 'here from'} ${other}`;
}

export function moveReason(after: unknown, { caseId, names }: Reader): string {
  const { from = '', to = '', reason = '' } = after as EntryChange;
  return names.has(from === caseId ? to : from) ? reason : '';
}

/** A file's url, or the application's address of what an item is about. */
export function linkOf(act: Act, caseId: string): string | null {
  const state = stateOf(act);
  const id = encodeURIComponent(act.entity_id ?? '');
  const isDeleted = act.after === null;
  if (isDeleted || act.entity_id === null) return null;
  switch (act.entity) {
    case 'file':
      return textIn(state, 'url') || null;
    case 'task':
      return `/dashboard/tasks?case=${caseId}&task=${id}`;
    case 'deadline':
      return `/dashboard/calender?view=deadlines&deadline=${id}`;
    case 'event': {
      const day = textIn(state, 'start').slice(0, DAY_LENGTH);
      return day === '' ? null : `/dashboard/calender?view=day&date=${day}&event=${id}`;
    }
    case 'conflict':
      return `/dashboard/conflicts/${id}`;
    default:
      return null;
  }
}

export function conversationLink(number: string): string {
  return `/dashboard/messages?with=${encodeURIComponent(number)}`;
}

/** A mail in its reader's mailbox. */
export function mailLink(mailId: string): string {
  return `/dashboard/emails?mail=${encodeURIComponent(mailId)}`;
}

type Caller = { contact: { name: string }; matters: readonly unknown[] };

/** Names with words that begin with the search first; among equals, people of active matters. */
export function callerRank({ contact, matters }: Caller, search: string): number {
  const words = fold(contact.name).split(/\s+/);
  const isBegun = searchWords(search).every((word) =>
    words.some((one) => one.startsWith(fold(word))),
  );
  return (isBegun ? 0 : 2) + (matters.length > 0 ? 0 : 1);
}
