import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Route } from '@matterdesk/contract/route.ts';
import type { Call, ReadRecord } from './bind.ts';

/** A file's bytes and metadata. `isShown` when a browser may display them, because they cannot run scripts. */
export type Content = {
  name: string;
  mimeType: string;
  isShown: boolean;
  size: number;
  /** Identifies the bytes, so that an interrupted download can resume (RFC 9110, 8.8.3). */
  etag?: string;
  /** Subject of the audit entry for reading it. */
  about: Pick<ReadRecord, 'entity' | 'entityId' | 'caseId' | 'after'>;
  read: (range?: { start: number; end: number }) => Promise<Readable>;
};

/** Whether a request begins to read; viewers fetch further parts of the same content. */
function isFirstRead({ method, headers: { range } }: FastifyRequest): boolean {
  return method === 'GET' && (range === undefined || range.trim().startsWith('bytes=0-'));
}

const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Sends untrusted bytes: displayed only when that is safe, and then in a sandbox without scripts. */
export async function sendContent(
  { name, mimeType, isShown, size, etag, about, read }: Content,
  {
    isDownload,
    note,
    request,
    reply,
  }: { isDownload: boolean } & Pick<Call<Route>, 'note' | 'request' | 'reply'>,
): Promise<void> {
  if (isFirstRead(request))
    await note({ ...about, action: isDownload ? 'downloaded' : 'previewed' });
  const isPdf = isShown && mimeType === 'application/pdf';
  const range = readRange(request.headers, { size, etag });
  if (etag !== undefined) void reply.header('etag', etag);
  const length = range ? range.end - range.start + 1 : size;
  const hasBytes = range !== null && length > 0 && request.method !== 'HEAD';
  // Before any header is set, because a failure of the store sends another reply.
  const bytes = hasBytes ? await read(range) : Readable.from([]);
  void reply
    .type(isShown ? mimeType : 'application/octet-stream')
    .header(
      'content-disposition',
      dispositionOf(isShown && !isDownload ? 'inline' : 'attachment', name),
    )
    .header('content-security-policy', isPdf ? POLICY : `${POLICY}; sandbox`)
    .header('accept-ranges', 'bytes');
  if (range === null) {
    await reply.code(416).header('content-range', `bytes */${size}`).send();
    return;
  }
  if (range)
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  void reply.header('content-length', String(length));
  await reply.send(bytes);
}

/**
 * Reads the range of `bytes=…` (RFC 9110, 14.1.2).
 * @returns undefined when there is none to honor, null when it cannot be satisfied
 */
function readRange(
  headers: IncomingHttpHeaders,
  { size, etag }: { size: number; etag: string | undefined },
) {
  // Without the same validator, a part may not match what the client already has (13.1.5).
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const parts = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '');
  if (!parts || (parts[1] === '' && parts[2] === '')) return undefined;
  const [from, to] = [parts[1] ?? '', parts[2] ?? ''];
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size || end < start) return null;
  return { start, end };
}

/** Encodes file names of any alphabet (RFC 6266, RFC 8187). */
function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
