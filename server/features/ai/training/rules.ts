import type { AiStatus } from '@matterdesk/contract/ai.ts';

/** Version of the extraction and the passages; a higher version allows a file to be trained again. */
export const VERSION = 1;
/** Attempts at a training that may end without a reason before it fails. */
export const MAX_FAILURES = 25;
/** Share of the progress for reading; the rest is dividing and indexing. */
const READING_SHARE = 0.9;

type DocumentStatus = {
  status: 'queued' | 'working' | 'ready' | 'failed';
  progress: number;
  /** The reason for the failure, or what was left out. */
  error: string | null;
};

/** A person's smallest document that waits for its training. */
export type WaitingDocument = {
  person: string;
  document: string;
  job: string;
  /** Trainings of this person that run in other places. */
  running: number;
};

/** Takes turns between people, so that a thousand files of one do not delay the letter of another. */
export class Turns {
  /** People by their last turn, the longest ago first. */
  readonly #served = new Set<string>();

  /**
   * The document of the person who has the fewest running, and of these the one whose last turn is the longest ago;
   * undefined without any.
   */
  next(waiting: WaitingDocument[]): WaitingDocument | undefined {
    const order = [...this.#served];
    const [first] = waiting.toSorted(
      (one, other) =>
        one.running - other.running || order.indexOf(one.person) - order.indexOf(other.person),
    );
    return first;
  }

  /** Notes that a person has had a turn. */
  note({ person }: WaitingDocument): void {
    this.#served.delete(person);
    this.#served.add(person);
  }
}

/** The reply of check_embeddings. */
export function describeStatus(document: DocumentStatus | undefined): AiStatus {
  if (!document) return { status: 404, message: 'Not trained yet' };
  const { status, progress, error } = document;
  switch (status) {
    case 'ready':
      return { status: 201, message: error ? `Trained. ${error}` : 'Trained' };
    case 'failed':
      return { status: 500, message: error ?? 'Training failed' };
    case 'queued':
      return { status: 202, message: 'Training hasn’t started yet', progress };
    case 'working':
      return {
        status: 202,
        message: `Training: ${Math.floor(progress * 100)} % done`,
        progress,
      };
  }
}

/** 0 to 1. */
export function progressOf(done: number, pages: number): number {
  return pages === 0 ? 0 : Math.min(1, done / pages) * READING_SHARE;
}

/**
 * Prepares a text for the index: joins words hyphenated at a line end, and separates words that PostgreSQL would parse
 * as a file or host name.
 */
export function toIndexText(text: string): string {
  return text
    .replaceAll(/(\p{L})[-\u00ad]\n(\p{Ll})/gu, '$1$2')
    .replaceAll('\u00ad', '')
    .replaceAll(/(?<=\p{L})\/(?=\p{L})/gu, ' / ')
    .replaceAll(/(?<=\p{Ll}{2}[.;,])(?=\p{Lu}\p{Ll})/gu, ' ');
}
