import path from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import type { FileDetail } from '@matterdesk/contract/files.ts';
import { hasLongRun, MARKS_MAX, normalized } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { isHarmless, isInvisible } from '@matterdesk/contract/text.ts';
import { MAX_FILE_NAME_BYTES, fitFileName } from '../../core/file-names.ts';
import { isId } from '../../core/ids.ts';
import { fold } from '../../db/search.ts';

/** Place of a file. */
export type FileAddress = { caseId: string; folder: string; name: string };

/** First bytes, which identify the type. */
export const HEAD_BYTES = 4100;
/** Days during which a deleted file can be restored. */
export const KEPT_DAYS = 30;

/** Types whose first bytes are ambiguous without the extension. */
const BY_EXTENSION: Record<string, { mime: string; container?: string }> = {
  docx: {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    container: 'application/zip',
  },
  xlsx: {
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    container: 'application/zip',
  },
  odt: { mime: 'application/vnd.oasis.opendocument.text', container: 'application/zip' },
  msg: { mime: 'application/vnd.ms-outlook', container: 'application/x-cfb' },
  rtf: { mime: 'application/rtf' },
  eml: { mime: 'message/rfc822' },
  html: { mime: 'text/html' },
  htm: { mime: 'text/html' },
  txt: { mime: 'text/plain' },
  csv: { mime: 'text/csv' },
  md: { mime: 'text/markdown' },
};

const SHOWN = new Map([
  ['application/pdf', ['pdf']],
  ['image/png', ['png']],
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/gif', ['gif']],
  ['image/webp', ['webp']],
  ['text/plain', ['txt']],
]);

type TrainingState = {
  status: 'queued' | 'working' | 'ready' | 'failed' | null;
  progress: number | null;
  error: string | null;
};

/** UTF-16 units around the found word. */
const BEFORE = 60;
const AFTER = 120;
const BLANKS = /\s+/g;

/**
 * Display name of an uploaded file: the last segment of the sender's name.
 * @returns an error message for an invalid name
 */
export function nameOf(sent: string): { name: string } | { wrong: string } {
  const written = sent.split(/[/\\]/).at(-1) ?? '';
  if (hasLongRun(written))
    return { wrong: `A file name must not stack more than ${MARKS_MAX} accents on one letter` };
  const name = normalized(written).trim();
  if (isInvisible(name) || name === '.' || name === '..') return { wrong: 'A file needs a name' };
  if (!isHarmless(name)) return { wrong: 'A file name must not hold control characters' };
  if (Buffer.byteLength(name) > MAX_FILE_NAME_BYTES)
    return { wrong: `A file name must have at most ${MAX_FILE_NAME_BYTES} bytes` };
  return { name };
}

/** '.pdf', or '' for a name without one. */
export function extensionOf(name: string): string {
  return path.extname(name).toLowerCase();
}

/** A new name of a file; the extension stays as it is, since it says what the bytes are. */
export function withExtension(wanted: string, before: string): string {
  const { ext } = path.parse(before);
  return path.extname(wanted).toLowerCase() === ext.toLowerCase() ? wanted : `${wanted}${ext}`;
}

/** The name, or the first free one of `name (2).pdf`, `name (3).pdf`… */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(fold(name))) return name;
  const { name: stem, ext } = path.parse(name);
  for (let number = 2; ; number += 1) {
    const candidate = fitFileName(stem, ` (${number})${ext}`);
    if (!taken.has(fold(candidate))) return candidate;
  }
}

/** Type of a file by its first bytes and extension, never by the sender's claim. */
export async function kindOf(name: string, head: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const named = BY_EXTENSION[path.extname(name).slice(1).toLowerCase()];
  if (found && named?.container === found.mime) return named.mime;
  if (found) return found.mime;
  if (!named || named.container || head.includes(0)) {
    const isUtf16 = named?.mime.startsWith('text/') && /^(\xff\xfe|\xfe\xff)/.test(latin(head));
    return isUtf16 && named ? named.mime : 'application/octet-stream';
  }
  return named.mime;
}

/** True when browsers may show it: bytes and extension agree on a type that cannot run code. */
export function isSafeToShow(name: string, mimeType: string): boolean {
  return SHOWN.get(mimeType)?.includes(path.extname(name).slice(1).toLowerCase()) ?? false;
}

/** Training status for users; for trained files `error` reports what was skipped. */
export function toTraining({ status, progress, error }: TrainingState): FileDetail['training'] {
  switch (status) {
    case 'queued':
    case 'working':
      return { status: 'training', progress, error: null };
    case 'ready':
      return { status: 'trained', progress: null, error };
    case 'failed':
      return { status: 'error', progress: null, error };
    case null:
      return { status: 'not trained', progress: null, error: null };
  }
}

/** Invalid names count as unknown; the database would refuse them. */
export function isAddress({ caseId, folder, name }: FileAddress): boolean {
  return isId(caseId) && isHarmless(folder) && isHarmless(name);
}

/** Undefined for other URLs. */
export function parseUrl(url: string): FileAddress | undefined {
  const parts = /^\/api\/v1\/files\/content\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)$/.exec(url);
  try {
    const [caseId = '', folder = '', name = ''] = (parts ?? []).slice(1).map(decodeURIComponent);
    const address = { caseId, folder, name };
    return isAddress(address) ? address : undefined;
  } catch {
    return undefined;
  }
}

/**
 * One line of the text around the first word of a search, cut between words, with '…' where it was cut.
 * @param text around the word, which it may lack by a few letters where folding changes lengths
 */
export function excerptOf(text: string, search: string): string {
  const line = text.replaceAll(BLANKS, ' ').trim();
  const folded = fold(line);
  const found = searchWords(search).flatMap((word) => {
    const at = folded.indexOf(fold(word).replaceAll(BLANKS, ' '));
    return at === -1 ? [] : [{ start: at, end: at + word.length }];
  });
  const first = found.toSorted((a, b) => a.start - b.start)[0] ?? { start: 0, end: 0 };
  const start = first.start <= BEFORE ? 0 : line.indexOf(' ', first.start - BEFORE) + 1;
  const last =
    line.length - first.end <= AFTER ? line.length : line.lastIndexOf(' ', first.end + AFTER);
  // A word may be longer than the excerpt.
  const from = Math.min(start, first.start);
  const to = Math.max(last, first.end);
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

function latin(head: Uint8Array) {
  return Buffer.from(head.subarray(0, 2)).toString('latin1');
}
