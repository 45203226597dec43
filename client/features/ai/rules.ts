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
import { counted } from '../../core/words.ts';
import type { Option } from '../../ui/option.ts';

/** A folder of a case, or one file of it. */
export type FileScope = { folder: string; name?: string };

/** A folder with the names of its trained files. */
export type TrainedFolder = { folder: string; names: readonly string[] };

/** The folders with trained files, and the names of these. */
export function trainedFoldersOf(library: Library | null): TrainedFolder[] {
  if (!library) return [];
  const { files, training, details } = library;
  return Object.entries(files).flatMap(([folder, urls]) => {
    const trained = urls.filter((url) => training[url] === 'trained');
    const names = trained.flatMap((url) => details[url]?.name ?? []);
    return names.length > 0 ? [{ folder, names }] : [];
  });
}

/** The parts of a case to which a question can be limited; the id is a `Within`. */
export function scopeOptions(places: readonly TrainedFolder[]): Option[] {
  return places.flatMap(({ folder, names }) => {
    const count = counted(names.length, 'trained file');
    const files = names.map((name) => ({ id: idOf({ folder, name }), label: name, note: folder }));
    return [{ id: idOf({ folder }), label: folder, note: `Folder, ${count}` }, ...files];
  });
}

/** Whether it still exists. */
export function isAmong(places: readonly TrainedFolder[], { folder, name }: FileScope): boolean {
  const place = places.find((candidate) => candidate.folder === folder);
  return place !== undefined && (name === undefined || place.names.includes(name));
}

function idOf({ folder, name }: FileScope): string {
  return JSON.stringify(name === undefined ? [folder] : [folder, name]);
}

export function withinOf({ id }: Pick<Option, 'id'>): FileScope {
  const [folder = '', name] = JSON.parse(id) as string[];
  return name === undefined ? { folder } : { folder, name };
}

/** User 1 asks, user 2 answers. */
export type ChatMessage = {
  id: number;
  message: string;
  /** ISO 8601. */
  time: string;
  user: 1 | 2;
  answer?: Answer;
  /** The part of the case that the question was limited to. */
  within?: FileScope;
  /** The question was not answered, and can be asked again. */
  hasFailed?: boolean;
  /** Why it was not answered, unless it was stopped. */
  reason?: string;
  /** The answer is in the stream of its case. */
  isAdded?: boolean;
};

/** The part of an answer received so far, not yet verified. */
export type PartialAnswer = Pick<Answer, 'citations'> & { text: string };

/** Messages of a conversation kept across a reload. */
export const MAX_KEPT_MESSAGES = 100;

const MAX_TURNS = 20;
const MAX_ANSWER_LENGTH = 20_000;

export const WELCOME = 'Hello! How can I assist you today?';

/** The newest twenty answered questions with their answers, oldest first. */
export function historyOf(messages: readonly ChatMessage[]): NonNullable<Question['history']> {
  return messages
    .flatMap((entry, at) => {
      const next = messages[at + 1];
      if (entry.user !== 1 || next?.user !== 2 || !next.answer) return [];
      return [{ question: entry.message, answer: next.message.slice(0, MAX_ANSWER_LENGTH) }];
    })
    .slice(-MAX_TURNS);
}

/** A part of a text, with its start and kind. */
type Piece = { at: number; text: string; kind: 'plain' | 'unsupported' };

/** Splits an answer at the parts without a source, ignoring spans out of range. */
export function splitUnsupported({ answer, unsupported }: Pick<Answer, 'answer' | 'unsupported'>) {
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

/** Splits a text at citation numbers; a number without a citation is text. */
export function splitCitationNumbers(text: string, citations: readonly Citation[]) {
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

/** 'Page 2', with the file's name before it when several files were asked. */
export function citationName({ page, file_name }: Citation, isNamed: boolean): string {
  return isNamed ? `${file_name}, Page ${page}` : `Page ${page}`;
}

const CONTEXT_BEFORE = 60;
const CONTEXT_AFTER = 120;

type QuoteSpan = Pick<Citation, 'quote' | 'start' | 'sentence'>;

/** The key sentence in offsets of the quotation. */
function spanOf({ quote, start, sentence }: QuoteSpan) {
  const from = Math.min(Math.max(sentence.start - start, 0), quote.length);
  return { from, to: Math.min(Math.max(sentence.end - start, from), quote.length) };
}

/** The key sentence of a citation, verbatim. */
export function sentenceOf(citation: QuoteSpan): string {
  const { from, to } = spanOf(citation);
  return citation.quote.slice(from, to);
}

/** A quotation shortened around its key sentence, with '…' at shortened ends. */
export function clipQuotation(citation: Citation, isWhole: boolean) {
  const { quote } = citation;
  const { from, to } = spanOf(citation);
  const marked = joinLines(quote.slice(from, to));
  const before = joinLines(quote.slice(0, from)).trimStart();
  const after = joinLines(quote.slice(to)).trimEnd();
  if (isWhole) return { before, marked, after, isClipped: false };
  const isLongBefore = before.length > CONTEXT_BEFORE;
  const isLongAfter = after.length > CONTEXT_AFTER;
  return {
    // Cuts at a space, so that no word or surrogate pair is split.
    before: isLongBefore ? `…${before.slice(-CONTEXT_BEFORE).replace(/^\S*/, '')}` : before,
    marked,
    after: isLongAfter ? `${after.slice(0, CONTEXT_AFTER).replace(/(?<!\S)\S*$/, '')}…` : after,
    isClipped: isLongBefore || isLongAfter,
  };
}

/** Characters of a line that was wrapped at the margin; shorter ones are rows, headings or ends of paragraphs. */
const MIN_WRAPPED_LENGTH = 45;
/** The beginning of a paragraph or row of its own. */
const OWN_LINE = /^(?:[-•–*§]|\(?[\dA-Za-z]{1,4}[.)]\s)/;

const HYPHENATED = /[\p{L}\p{N}]-$/u;

/** Joins the lines of a paragraph, because a narrower column wraps differently. */
function joinLines(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  let joined = first;
  let last = first;
  for (const line of rest) {
    joined += isContinued(last, line) ? (HYPHENATED.test(last) ? '' : ' ') : '\n';
    joined += line;
    last = line;
  }
  return joined;
}

function isContinued(line: string, next: string): boolean {
  if (line.trim() === '' || next.trim() === '' || OWN_LINE.test(next)) return false;
  const isWithinWord = HYPHENATED.test(line) && /^[\p{L}\p{N}]/u.test(next);
  const isWithinSentence = /[\p{L}\p{N},;]$/u.test(line) && /^\p{Ll}/u.test(next);
  return isWithinWord || isWithinSentence || line.length >= MIN_WRAPPED_LENGTH;
}

/** The text for the clipboard: the quotation and its source. */
function quoteWithSource({ quote, page, file_name, folder, location }: Citation): string {
  const place = location ? `page ${page}, ${location}` : `page ${page}`;
  return `“${quote.trim()}” (${folder}/${file_name}, ${place})`;
}

/** The text of an answer with all its sources. */
export function clipboardTextOf(answer: Answer): string {
  const [first] = answer.citations;
  if (answer.mode === 'extractive' && answer.found && first) return quoteWithSource(first);
  const sources = answer.citations.map((cited) => `[${cited.n}] ${quoteWithSource(cited)}`);
  return [answer.answer, ...sources].join('\n\n');
}

/** Undefined for events unknown to the contract. */
export function readEvent({ event, data }: EventSourceMessage): AskEvent | undefined {
  try {
    return AskEventSchema.parse({ event, data: JSON.parse(data) as unknown });
  } catch {
    return undefined;
  }
}

/** The stored messages, without invalid ones; an unanswered last question can be asked again. */
export function readMessages(kept: unknown): ChatMessage[] {
  const messages = Array.isArray(kept) ? kept.filter(isMessage) : [];
  return messages.map((entry, at) =>
    entry.user === 1 && messages[at + 1]?.user !== 2 ? { ...entry, hasFailed: true } : entry,
  );
}

function isMessage(value: unknown): value is ChatMessage {
  const { id, message, time, user, answer, within, reason } = (value ?? {}) as Partial<ChatMessage>;
  const isWhole = typeof id === 'number' && typeof message === 'string' && typeof time === 'string';
  const hasAnswer = answer === undefined || AnswerSchema.safeParse(answer).success;
  const isPlaced = within === undefined || typeof within?.folder === 'string';
  const hasReason = reason === undefined || typeof reason === 'string';
  return isWhole && hasAnswer && isPlaced && hasReason && (user === 1 || user === 2);
}
