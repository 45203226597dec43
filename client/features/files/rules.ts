import type { FileDetail } from '@matterdesk/contract/files.ts';

/** '31 pages', or nothing while that is not known. */
export function pagesInWords(pages: number | null): string {
  if (pages === null) return '';
  return pages === 1 ? '1 page' : `${pages.toLocaleString()} pages`;
}

/** '1 file', '2,000 files'. */
export function filesInWords(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString()} files`;
}

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
/** Bytes; what is read whole must fit into a tab. A PDF is read in parts. */
export const MOST_SHOWN = 50_000_000;

/** How a file can be shown; `large` when it would have to be read whole and is too large for that. */
export function viewerOf({ mimeType, size }: Pick<FileDetail, 'mimeType' | 'size'>) {
  const kind = VIEWERS[mimeType] ?? 'none';
  return size > MOST_SHOWN && kind !== 'pdf' && kind !== 'none' ? 'large' : kind;
}

/** Bytes that a tab may be asked to unpack. */
export const MOST_UNPACKED = 300_000_000;

/** Bytes of all that a ZIP archive holds, as its directory says; 0 for what is no archive. */
export function unpackedSize(archive: Uint8Array): number {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let total = 0;
  for (let at = archive.length - 46; at >= 0; at -= 1)
    // Each entry of the directory begins by these four bytes, and says its size at the 24th.
    if (archive[at] === 0x50 && view.getUint32(at, true) === 0x02_01_4b_50)
      total += view.getUint32(at + 24, true);
  return total;
}

/** Bytes of a text file that are shown. */
export const MOST_TEXT = 2_000_000;

/**
 * The words of a text file: by its byte order mark, as UTF-8 where that is possible, else as Windows
 * wrote it.
 * @param encoding when somebody knows better, else ''
 */
export function decodeText(bytes: Uint8Array, encoding = ''): string {
  const known = encoding || encodingOf(bytes);
  if (known) return new TextDecoder(known).decode(bytes);
  try {
    // A file that was cut may end in the middle of a sign.
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
  // Without a mark: in western text every other byte is zero.
  const zeros = [0, 1].map((rest) => sample.filter((byte, at) => byte === 0 && at % 2 === rest));
  const [even = 0, odd = 0] = zeros.map(({ length }) => length / Math.max(sample.length / 2, 1));
  if (odd > 0.7 && even < 0.1) return 'utf-16le';
  if (even > 0.7 && odd < 0.1) return 'utf-16be';
  // Japanese mail is made of seven-bit bytes, so it passes for UTF-8.
  return sample.some(
    (byte, at) => byte === 0x1b && /[$(]/.test(String.fromCharCode(sample[at + 1] ?? 0)),
  )
    ? 'iso-2022-jp'
    : undefined;
}

/** Cuts a text around a marked part of it, in offsets of the text; out of bounds is no mark. */
export function cutAround(text: string, mark: { start: number; end: number } | null) {
  if (!mark || mark.start < 0 || mark.end > text.length || mark.start >= mark.end)
    return { before: text, marked: '', after: '' };
  return {
    before: text.slice(0, mark.start),
    marked: text.slice(mark.start, mark.end),
    after: text.slice(mark.end),
  };
}

/** The part of a passage that stands on a page which begins at `pageStart`, in the page's own offsets. */
export function markOnPage(
  passage: { start: number; end: number },
  page: { start: number; text: string },
): { start: number; end: number } | null {
  const start = Math.max(passage.start - page.start, 0);
  const end = Math.min(passage.end - page.start, page.text.length);
  return start < end ? { start, end } : null;
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** Urls in the order of their names, 'page 2' before 'page 10'. */
export function inOrder(urls: readonly string[]): string[] {
  return urls
    .map((url) => [decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)), url] as const)
    .toSorted(([a], [b]) => byName.compare(a, b))
    .map(([, url]) => url);
}

/** '62%', or nothing while that is not known. */
export function percent(progress: number | null): string {
  return progress === null ? '' : `${Math.floor(Math.min(Math.max(progress, 0), 1) * 100)}%`;
}

type TrainingReply = { status: number | string; message?: string };
const NO_REASON = 'Unexpected response from server';

/** What the reply to Train AI means. */
export function readTrainReply({ status, message }: TrainingReply) {
  return { isQueued: status === '200', message: message || NO_REASON };
}

/** What a status check means for the file. */
export function readCheck({
  status,
  message,
  progress,
}: TrainingReply & { progress?: number | undefined }) {
  if (status === 201) return { status: 'trained' } as const;
  if (status === 202) return { status: 'training', progress: progress ?? null } as const;
  return { status: 'error', error: message || NO_REASON } as const;
}
