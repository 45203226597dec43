import type { AiStatus } from '@matterdesk/contract/ai.ts';

/** Of the extraction and of the passages. A higher one lets a file be trained anew. */
export const VERSION = 1;
/** Beginnings of one training that may fail without a reason before it is given up. */
export const MOST_FAILURES = 25;
/** Part of the work that reading takes; the rest is dividing and indexing. */
const READING = 0.9;

export type Standing = {
  status: 'queued' | 'working' | 'ready' | 'failed';
  progress: number;
  /** Why it failed, or what was left out. */
  error: string | null;
};

/** What check_embeddings says. */
export function reportStatus(standing: Standing | undefined): AiStatus {
  if (!standing) return { status: 404, message: 'Not trained yet' };
  const { status, progress, error } = standing;
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

/** 0 to 1, by the pages that have been read. */
export function progressOf(done: number, pages: number): number {
  return pages === 0 ? 0 : Math.min(1, done / pages) * READING;
}

/**
 * Words for the index: those that a line end has cut in two become whole, and those that the database would take for
 * the name of a file or of a host stand alone.
 */
export function toIndexText(text: string): string {
  return text
    .replaceAll(/(\p{L})[-\u00ad]\n(\p{Ll})/gu, '$1$2')
    .replaceAll('\u00ad', '')
    .replaceAll(/(?<=\p{L})\/(?=\p{L})/gu, ' / ')
    .replaceAll(/(?<=\p{Ll}{2}[.;,])(?=\p{Lu}\p{Ll})/gu, ' ');
}
