import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { FileDetail, Library, TrainingStatus } from '@matterdesk/contract/files.ts';
import { nameOfUrl } from '../../core/file-link.ts';

export type ViewerKind = 'pdf' | 'word' | 'image' | 'mail' | 'text' | 'none';

const VIEWERS: Record<string, ViewerKind> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'word',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'message/rfc822': 'mail',
  'text/plain': 'text',
  'text/csv': 'text',
  'text/markdown': 'text',
};
/** Maximum bytes of a file loaded whole. A PDF is loaded in parts. */
export const MAX_WHOLE_BYTES = 50_000_000;

/** The viewer of a file; `large` when the file is too large to load whole. */
export function viewerOf({ mimeType, size }: Pick<FileDetail, 'mimeType' | 'size'>) {
  const kind = VIEWERS[mimeType] ?? 'none';
  return size > MAX_WHOLE_BYTES && kind !== 'pdf' && kind !== 'none' ? 'large' : kind;
}

/** Maximum bytes to unpack in a tab. */
export const MAX_UNPACKED_BYTES = 300_000_000;

/** The unpacked bytes of a ZIP archive according to its directory; 0 for other files. */
export function unpackedSize(archive: Uint8Array): number {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let total = 0;
  for (let at = archive.length - 46; at >= 0; at -= 1)
    // Each directory entry starts with these four bytes, and has its size at offset 24.
    if (archive[at] === 0x50 && view.getUint32(at, true) === 0x02_01_4b_50)
      total += view.getUint32(at + 24, true);
  return total;
}

/** Maximum bytes shown of a text file. */
export const MAX_TEXT_BYTES = 2_000_000;

/**
 * Decodes a text file by its byte order mark, as UTF-8 if valid, else as Windows-1252.
 * @param encoding a known encoding, or ''
 */
export function decodeText(bytes: Uint8Array, encoding = ''): string {
  const known = encoding || encodingOf(bytes);
  if (known) return new TextDecoder(known).decode(bytes);
  try {
    // A truncated file may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4000);
  const mark = (sample[0] ?? 0) * 256 + (sample[1] ?? 0);
  if (mark === 0xff_fe) return 'utf-16le';
  if (mark === 0xfe_ff) return 'utf-16be';
  // UTF-16 without a mark: in western text, every other byte is zero.
  const zeros = [0, 1].map((rest) => sample.filter((byte, at) => byte === 0 && at % 2 === rest));
  const [even = 0, odd = 0] = zeros.map(({ length }) => length / Math.max(sample.length / 2, 1));
  if (odd > 0.7 && even < 0.1) return 'utf-16le';
  if (even > 0.7 && odd < 0.1) return 'utf-16be';
  // Japanese mail in ISO-2022-JP is seven-bit, so it is also valid UTF-8.
  return sample.some(
    (byte, at) => byte === 0x1b && /[$(]/.test(String.fromCharCode(sample[at + 1] ?? 0)),
  )
    ? 'iso-2022-jp'
    : undefined;
}

/** Splits a text around a marked part; a mark out of bounds is ignored. */
export function cutAround(text: string, mark: { start: number; end: number } | null) {
  if (!mark || mark.start < 0 || mark.end > text.length || mark.start >= mark.end)
    return { before: text, marked: '', after: '' };
  return {
    before: text.slice(0, mark.start),
    marked: text.slice(mark.start, mark.end),
    after: text.slice(mark.end),
  };
}

/** The part of a passage on the page that starts at `pageStart`, in the page's own offsets. */
export function markOnPage(
  passage: { start: number; end: number },
  page: { start: number; text: string },
): { start: number; end: number } | null {
  const start = Math.max(passage.start - page.start, 0);
  const end = Math.min(passage.end - page.start, page.text.length);
  return start < end ? { start, end } : null;
}

/** A quotation on the page where it begins, in offsets of the whole text; it may go on to the next page. */
export function placeOf(
  quotation: string,
  page: { start: number; text: string },
): { start: number; end: number } | null {
  const whole = page.text.indexOf(quotation);
  if (whole !== -1) return spanAt(page.start + whole, quotation);
  for (let length = quotation.length - 1; length > 0; length -= 1)
    if (page.text.endsWith(quotation.slice(0, length)))
      return spanAt(page.start + page.text.length - length, quotation);
  return null;
}

function spanAt(start: number, { length }: string) {
  return { start, end: start + length };
}

/** '.pdf', or '' for a name without one. */
export function extensionOf(name: string): string {
  return (/[^.](\.[^.]+)$/.exec(name)?.[1] ?? '').toLowerCase();
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** URLs sorted by file name, 'page 2' before 'page 10'. */
export function inOrder(urls: readonly string[]): string[] {
  return urls
    .map((url) => [nameOfUrl(url), url] as const)
    .toSorted(([a], [b]) => byName.compare(a, b))
    .map(([, url]) => url);
}

/** The files of a folder or, without one, of the case whose training was never requested. */
export function untrainedUrls(library: Library | null, folder?: string): string[] {
  const { files = {}, training = {} } = library ?? {};
  const urls = folder === undefined ? Object.values(files).flat() : (files[folder] ?? []);
  return urls.filter((url) => training[url] === 'not trained');
}

/** Files that are trained together: those in training at the same time, until all are done. */
export type Batch = { of: number; trained: number; failed: number };

/**
 * The batch that began earlier, with what was added since.
 * @param before the URLs that were in the batch
 */
export function batchOf(before: readonly string[], training: Record<string, TrainingStatus>) {
  const now = Object.keys(training).filter((url) => training[url] === 'training');
  if (now.length === 0) return { urls: [], batch: null };
  const urls = [...new Set([...before, ...now])].filter((url) => training[url] !== undefined);
  const count = (status: TrainingStatus) => urls.filter((url) => training[url] === status).length;
  const batch: Batch = { of: urls.length, trained: count('trained'), failed: count('error') };
  return { urls, batch };
}

/** '62%', or nothing while unknown. */
export function percent(progress: number | null): string {
  return progress === null ? '' : `${Math.floor(Math.min(Math.max(progress, 0), 1) * 100)}%`;
}

type TrainingReply = { status: number | string; message?: string };
const NO_REASON = 'Unexpected response from server';

/** Interprets the reply to Train AI. */
export function readTrainReply({ status, message }: TrainingReply) {
  return { isQueued: status === '200', message: message || NO_REASON };
}

/** Interprets a status check. */
export function readCheck({
  status,
  message,
  progress,
}: TrainingReply & { progress?: number | undefined }) {
  if (status === 201) return { status: 'trained' } as const;
  if (status === 202) return { status: 'training', progress: progress ?? null } as const;
  return { status: 'error', error: message || NO_REASON } as const;
}

/** Whether someone may delete a file: who uploaded it, and users who may edit tasks. */
export function mayDelete(
  me: Pick<CurrentUser, 'id' | 'permissions'> | null,
  { uploadedBy }: Pick<FileDetail, 'uploadedBy'>,
): boolean {
  return me !== null && (me.id === uploadedBy.id || me.permissions.editTasks);
}
