import type { EventSourceMessage } from 'eventsource-parser';
import {
  type Answer,
  AnswerSchema,
  type AskEvent,
  AskEventSchema,
  type Citation,
  type Question,
} from '@matterdesk/contract/ai.ts';
import type { Library } from '@matterdesk/contract/files.ts';
import type { Option } from '../../ui/option.ts';

/** A folder of a case, or one file of it. */
export type Within = { folder: string; name?: string };

/** A folder with the names of its trained files. */
export type Place = { folder: string; names: readonly string[] };

/** The folders that hold trained files, with their names. */
export function placesOf(library: Library | null): Place[] {
  if (!library) return [];
  const { files, training, details } = library;
  return Object.entries(files).flatMap(([folder, urls]) => {
    const trained = urls.filter((url) => training[url] === 'trained');
    const names = trained.flatMap((url) => details[url]?.name ?? []);
    return names.length > 0 ? [{ folder, names }] : [];
  });
}

/** What a question to a case can be put to instead of all its files; the id is a `Within`. */
export function placeOptions(places: readonly Place[]): Option[] {
  return places.flatMap(({ folder, names }) => {
    const count = names.length === 1 ? '1 trained file' : `${names.length} trained files`;
    const files = names.map((name) => ({ id: idOf({ folder, name }), label: name, note: folder }));
    return [{ id: idOf({ folder }), label: folder, note: `Folder, ${count}` }, ...files];
  });
}

/** Whether it can still be asked. */
export function isAmong(places: readonly Place[], { folder, name }: Within): boolean {
  const place = places.find((one) => one.folder === folder);
  return place !== undefined && (name === undefined || place.names.includes(name));
}

function idOf({ folder, name }: Within): string {
  return JSON.stringify(name === undefined ? [folder] : [folder, name]);
}

export function withinOf({ id }: Pick<Option, 'id'>): Within {
  const [folder = '', name] = JSON.parse(id) as string[];
  return name === undefined ? { folder } : { folder, name };
}

/** User 1 is the person who asks, 2 the one who answers. */
export type ChatMessage = {
  id: number;
  message: string;
  /** ISO. */
  time: string;
  user: 1 | 2;
  answer?: Answer;
  /** Of a question to part of a case: where it looked. */
  within?: Within;
  /** The question found no answer: it can be asked again. */
  hasFailed?: boolean;
};

/** What has come of an answer that is still being written; nothing of it is checked yet. */
export type Draft = Pick<Answer, 'citations'> & { text: string };

/** Messages of a conversation that outlive a reload. */
export const MOST_KEPT = 100;

const MOST_TURNS = 20;
const LONGEST_ANSWER = 20_000;

export const WELCOME = 'Hello! How can I assist you today?';

/** The questions that were answered, with their answers, oldest first; the newest twenty. */
export function historyOf(messages: readonly ChatMessage[]): NonNullable<Question['history']> {
  return messages
    .flatMap((one, at) => {
      const next = messages[at + 1];
      if (one.user !== 1 || next?.user !== 2 || !next.answer) return [];
      return [{ question: one.message, answer: next.message.slice(0, LONGEST_ANSWER) }];
    })
    .slice(-MOST_TURNS);
}

/** A part of a text, where it begins, and what it is. */
type Piece = { at: number; text: string; kind: 'plain' | 'unsupported' };

/** Cuts an answer at the parts that no citation holds; spans that lie outside of it count for nothing. */
export function cutUnsupported({ answer, unsupported }: Pick<Answer, 'answer' | 'unsupported'>) {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of unsupported.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > answer.length) continue;
    if (start > at) pieces.push({ at, text: answer.slice(at, start), kind: 'plain' });
    pieces.push({ at: start, text: answer.slice(start, end), kind: 'unsupported' });
    at = end;
  }
  if (at < answer.length) pieces.push({ at, text: answer.slice(at), kind: 'plain' });
  return pieces;
}

/** Cuts a text at the numbers of citations; a number without its citation is text. */
export function cutNumbers(text: string, citations: readonly Citation[]) {
  const pieces: { at: number; text: string; citation?: Citation }[] = [];
  let at = 0;
  for (const found of text.matchAll(/\[(\d+)\]/g)) {
    const citation = citations.find(({ n }) => n === Number(found[1]));
    if (!citation) continue;
    if (found.index > at) pieces.push({ at, text: text.slice(at, found.index) });
    at = found.index + found[0].length;
    pieces.push({ at: found.index, text: found[0], citation });
  }
  if (at < text.length) pieces.push({ at, text: text.slice(at) });
  return pieces;
}

/** 'Page 2'; asked of more than one file, with the file's name before it. */
export function citationName({ page, file_name }: Citation, isNamed: boolean): string {
  return isNamed ? `${file_name}, Page ${page}` : `Page ${page}`;
}

const CONTEXT_BEFORE = 60;
const CONTEXT_AFTER = 120;

/** A quotation around its most telling sentence; what is left out at an end shows as '…'. */
export function clipped({ quote, start, sentence }: Citation, isWhole: boolean) {
  const from = Math.min(Math.max(sentence.start - start, 0), quote.length);
  const to = Math.min(Math.max(sentence.end - start, from), quote.length);
  const marked = flowing(quote.slice(from, to));
  const before = flowing(quote.slice(0, from)).trimStart();
  const after = flowing(quote.slice(to)).trimEnd();
  if (isWhole) return { before, marked, after, isClipped: false };
  const isLongBefore = before.length > CONTEXT_BEFORE;
  const isLongAfter = after.length > CONTEXT_AFTER;
  return {
    // Cut at a space: no word is shown in half, and no pair of surrogates.
    before: isLongBefore ? `…${before.slice(-CONTEXT_BEFORE).replace(/^\S*/, '')}` : before,
    marked,
    after: isLongAfter ? `${after.slice(0, CONTEXT_AFTER).replace(/\S*$/, '')}…` : after,
    isClipped: isLongBefore || isLongAfter,
  };
}

/** Without the ends of lines in the middle of a sentence, which a narrower column sets anew. */
function flowing(text: string): string {
  return text.replaceAll(/(?<=[\p{L}\p{N},;])\n(?=\p{Ll})/gu, ' ');
}

/** What is put on the clipboard: the words, and where they stand. */
function quoteWithSource({ quote, page, file_name, folder, location }: Citation): string {
  const place = location ? `page ${page}, ${location}` : `page ${page}`;
  return `“${quote.trim()}” (${folder}/${file_name}, ${place})`;
}

/** The words of an answer with all its sources. */
export function copyText(answer: Answer): string {
  const [first] = answer.citations;
  if (answer.mode === 'extractive' && answer.found && first) return quoteWithSource(first);
  const sources = answer.citations.map((one) => `[${one.n}] ${quoteWithSource(one)}`);
  return [answer.answer, ...sources].join('\n\n');
}

/** Undefined for events that the contract does not name. */
export function readEvent({ event, data }: EventSourceMessage): AskEvent | undefined {
  try {
    return AskEventSchema.parse({ event, data: JSON.parse(data) as unknown });
  } catch {
    return undefined;
  }
}

/** What was kept of a conversation, without what does not look like it; a question that lost its answer can be asked again. */
export function readMessages(kept: unknown): ChatMessage[] {
  const messages = Array.isArray(kept) ? kept.filter(isMessage) : [];
  return messages.map((one, at) =>
    one.user === 1 && messages[at + 1]?.user !== 2 ? { ...one, hasFailed: true } : one,
  );
}

function isMessage(one: unknown): one is ChatMessage {
  const { id, message, time, user, answer, within } = (one ?? {}) as Partial<ChatMessage>;
  const isWhole = typeof id === 'number' && typeof message === 'string' && typeof time === 'string';
  const hasAnswer = answer === undefined || AnswerSchema.safeParse(answer).success;
  const isPlaced = within === undefined || typeof within?.folder === 'string';
  return isWhole && hasAnswer && isPlaced && (user === 1 || user === 2);
}
