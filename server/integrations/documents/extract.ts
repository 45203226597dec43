import { Readable } from 'node:stream';
import { withShortRuns } from '@matterdesk/contract/normalization.ts';
import { askChild, ChildEnded, usualLimits, type Limits } from './child-process.ts';
import { hasPages, type DocumentKind } from './kinds.ts';
import type { Page, Passage } from './messages.ts';
import { reasons, Unreadable } from './unreadable.ts';

/** Crashing pages after which the rest of the document is skipped. */
const MOST_KILLERS = 5;

export type Extraction = {
  kind: DocumentKind;
  /** Bytes. */
  size: number;
  /** Opened again for each attempt. */
  open: () => Promise<Readable>;
  /** First missing page. */
  from: number;
  signal: AbortSignal;
  limits?: Limits;
};

export type Extracted =
  | { type: 'begin'; pages: number }
  | { type: 'page'; page: Page }
  /** What was skipped, in words for users. */
  | { type: 'note'; text: string };

/** A document took all the work that a document gets. What was read so far counts. */
export class WorkedEnough extends Unreadable {}

/**
 * Yields the pages of a document in order. A page that crashes the reading process stays empty and
 * reading resumes after it, so that good pages survive.
 * @throws Unreadable with the reason for the user; WorkedEnough when its work is used up
 */
export async function* extractPages(extraction: Extraction): AsyncGenerator<Extracted> {
  const { kind, size } = extraction;
  if (size === 0) throw new Unreadable(reasons.empty);
  const state: State = { next: extraction.from, pages: 0, worked: 0 };
  for (let killers = 0; ; killers += 1) {
    try {
      yield* readOn(extraction, state, killers === 0);
      return;
    } catch (error) {
      if (!(error instanceof ChildEnded)) throw error;
      if (error.why === 'work') throw new WorkedEnough(reasonAfter(state), { cause: error });
      if (state.pages < 2 || !hasPages(kind))
        throw new Unreadable(reasonOf(error), { cause: error });
      const isLast = killers === MOST_KILLERS || state.next === state.pages;
      yield { type: 'note', text: noteOn(state, isLast) };
      yield { type: 'page', page: emptyPage(state.next) };
      state.next += 1;
      if (isLast) return;
    }
  }
}

type State = {
  next: number;
  pages: number;
  /** Milliseconds, of all attempts. */
  worked: number;
};

async function* readOn(
  { kind, size, open, signal, limits: given = usualLimits }: Extraction,
  state: State,
  isFirst: boolean,
): AsyncGenerator<Extracted> {
  const order = { task: 'extract', kind, size, from: state.next } as const;
  const before = state.worked;
  const limits = { ...given, work: given.work - before };
  const onWorked = (worked: number) => (state.worked = before + worked);
  const body = await open();
  for await (const message of askChild({ order, body, size, signal, limits, onWorked })) {
    if (message.type === 'unreadable') throw new Unreadable(message.reason);
    // A child that counts otherwise was taken over.
    if (message.type === 'page' && message.page.page !== state.next) throw new ChildEnded('crash');
    if (message.type === 'begin') {
      state.pages = message.pages;
      if (!isFirst) continue;
    }
    if (message.type === 'page') {
      state.next = message.page.page + 1;
      // The database normalizes the text of pages, too.
      yield { ...message, page: { ...message.page, text: withShortRuns(message.page.text) } };
    }
    if (message.type === 'note' || message.type === 'begin') yield message;
  }
}

function reasonAfter({ next, pages }: State): string {
  return reasons.workedEnough(next - 1, pages);
}

function reasonOf({ why }: ChildEnded): string {
  if (why === 'memory') return reasons.tooMuch;
  return why === 'silence' ? reasons.tooLong : reasons.gaveUp;
}

function noteOn({ next, pages }: State, isLast: boolean): string {
  return isLast && next < pages
    ? `Pages ${next} to ${pages} could not be read.`
    : `Page ${next} could not be read.`;
}

function emptyPage(page: number): Page {
  return { page, text: '', marks: [], isScanned: false };
}

/**
 * Splits a document's pages into passages, also in its own process.
 * @throws ChildEnded
 */
export async function* dividePages(
  kind: DocumentKind,
  pages: AsyncIterable<Page>,
  signal: AbortSignal,
): AsyncGenerator<Passage> {
  const order = { task: 'divide', hasPages: hasPages(kind) } as const;
  const body = Readable.from(asLines(pages));
  for await (const message of askChild({ order, body, size: 0, signal }))
    if (message.type === 'passage') yield message.passage;
}

async function* asLines(pages: AsyncIterable<Page>): AsyncGenerator<string> {
  for await (const page of pages) yield `${JSON.stringify(page)}\n`;
}
