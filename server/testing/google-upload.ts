import { randomUUID } from 'node:crypto';
import { refuse } from './google-error.ts';
import type { Answer, Asked } from './stand-in.ts';

/** An uploaded message with its metadata. */
export type Uploaded = { raw: Buffer | undefined; metadata: Record<string, unknown> };

/** Unfinished resumable uploads. */
export type Sessions = Map<string, { metadata: Record<string, unknown>; received: Buffer[] }>;

/** Gmail's message size limit in bytes. */
const MOST = 36_700_160;

/** The message of a request in any form, or the reply to send instead. */
export function readUpload(
  asked: Asked,
  sessions: Sessions,
  url: string,
): { uploaded: Uploaded } | { answer: Answer } {
  const found = readAny(asked, sessions, url);
  if ('answer' in found) return found;
  const { raw } = found.uploaded;
  return raw !== undefined && raw.length > MOST ? { answer: refuse(413) } : found;
}

function readAny(asked: Asked, sessions: Sessions, url: string) {
  const kind = asked.path.startsWith('/upload/') ? asked.query.get('uploadType') : null;
  if (kind === 'media') return { uploaded: { raw: asked.body, metadata: {} } };
  if (kind === 'multipart') return { uploaded: readRelated(asked) };
  if (kind === 'resumable') return resume(asked, sessions, url);
  return { uploaded: readJson(asked.body) };
}

/** Message in `raw`, or in a draft's `message.raw`. */
function readJson(body: Buffer): Uploaded {
  const metadata = toRecord(body);
  const { raw } = { ...metadata, ...inner(metadata) };
  return { raw: typeof raw === 'string' ? Buffer.from(raw, 'base64url') : undefined, metadata };
}

function inner({ message }: Record<string, unknown>): Record<string, unknown> {
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

/** Two parts: metadata and message. */
function readRelated({ headers, body }: Asked): Uploaded {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const text = `\r\n${body.toString('latin1')}`;
  const [, first = '', ...rest] = text.split(`\r\n--${boundary}`);
  // The message may contain the boundary line only after its own end.
  const second = rest.slice(0, -1).join(`\r\n--${boundary}`);
  return {
    raw: Buffer.from(afterHeaders(second), 'latin1'),
    metadata: toRecord(Buffer.from(afterHeaders(first), 'latin1')),
  };
}

function afterHeaders(part: string): string {
  const gap = /\r?\n\r?\n/.exec(part);
  return gap ? part.slice(gap.index + gap[0].length) : '';
}

function resume({ method, path, query, headers, body }: Asked, sessions: Sessions, url: string) {
  if (method === 'POST' || query.get('upload_id') === null) {
    const id = randomUUID();
    sessions.set(id, { metadata: toRecord(body), received: [] });
    const location = `${url}${path}?uploadType=resumable&upload_id=${id}`;
    return { answer: { status: 200, headers: { location } } };
  }
  const id = query.get('upload_id') ?? '';
  const session = sessions.get(id);
  if (!session) return { answer: refuse(404) };
  const [, , to, whole] =
    /bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)/.exec(headers['content-range'] ?? '') ?? [];
  session.received.push(body);
  const raw = Buffer.concat(session.received);
  if (whole !== undefined && (to === undefined || Number(to) + 1 !== Number(whole))) {
    const range: Record<string, string> =
      raw.length > 0 ? { range: `bytes=0-${raw.length - 1}` } : {};
    return { answer: { status: 308, headers: range } };
  }
  sessions.delete(id);
  return { uploaded: { raw, metadata: session.metadata } };
}

function toRecord(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
