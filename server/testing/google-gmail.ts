import { randomUUID } from 'node:crypto';
import { type Accounts, mayDo, signJwt, bearer, type GoogleUser } from './google-accounts.ts';
import {
  describeMail,
  recipientsOf,
  withoutBcc,
  type Mailboxes,
  type MailboxReply,
  describePart,
  readAttachment,
} from './google-mailbox.ts';
import type { StandInReply, StandInRequest } from './stand-in.ts';

/** A sent mail; `to` has all recipients in lower case. */
export type SentMail = { from: string; to: string[]; raw: Buffer };

export type Gmail = {
  accounts: Accounts;
  mailboxes: Mailboxes;
  users: GoogleUser[];
  sessions: Sessions;
  pushes: Pushes;
  /** Called for each mail that the product sends. */
  onSend: (sent: SentMail) => void;
  /** Older history has expired. */
  historyFloor: bigint;
};

/** An authorized request; `path` begins after the account. */
type Permitted = { email: string; path: string; asked: StandInRequest };

const GMAIL = /^(?:\/upload)?\/gmail\/v1\/users\/([^/]+)\/(.+)$/;
/** Endpoints that accept a message, and the emulator's part of each. */
const WRITES = /^(POST messages(\/send|\/import)?|POST drafts(\/send)?|PUT drafts\/[^/]+)$/;
/** Lifetime of a watch in milliseconds. */
const WATCH = 7 * 86_400_000;
const LISTS = ['messages', 'drafts', 'threads', 'history', 'labels'];

/** Replies as Gmail does: checks permissions, then corrects the emulator's reply. */
export async function answerGmail(
  gmail: Gmail,
  asked: StandInRequest,
  url: string,
): Promise<StandInReply> {
  const [, user = '', path = ''] = GMAIL.exec(decodeURIComponent(asked.path)) ?? [];
  if (path === '') return refuse(404);
  const grant = gmail.accounts.holder(bearer(asked));
  if (!grant) {
    const headers = {
      'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    };
    return { ...refuse(401), headers };
  }
  const method = asked.query.has('upload_id') && asked.method === 'PUT' ? 'POST' : asked.method;
  if (!mayDo(grant.scopes, method, path))
    return refuse(403, {
      reason: 'insufficientPermissions',
      message: 'Request had insufficient authentication scopes.',
    });
  if (user !== 'me' && user.toLowerCase() !== grant.email.toLowerCase())
    return refuse(403, { reason: 'forbidden', message: `Delegation denied for ${grant.email}` });
  const permitted = { email: grant.email, path, asked: { ...asked, method } };
  if (!WRITES.test(`${method} ${path}`)) return read(gmail, permitted);
  const upload = readUpload(asked, gmail.sessions, url);
  return 'answer' in upload ? upload.answer : write(gmail, permitted, upload.uploaded);
}

async function read(gmail: Gmail, permitted: Permitted): Promise<StandInReply> {
  const { email, path, asked } = permitted;
  if (path === 'profile') return profile(gmail, email);
  const attachment = /^messages\/([^/]+)\/attachments\/([^/]+)$/.exec(path);
  if (attachment) {
    const raw = await gmail.mailboxes.raw(email, attachment[1] ?? '');
    const bytes = raw && readAttachment(raw, attachment[2] ?? '');
    return bytes
      ? { status: 200, body: { size: bytes.length, data: bytes.toString('base64url') } }
      : refuse(404);
  }
  const token = asked.query.get('pageToken');
  if (token !== null && !/^\d+$/.test(token)) return refuse(400, { message: 'Invalid pageToken' });
  const start = asked.query.get('startHistoryId');
  const topic = gmail.pushes.watched.get(email);
  if (path === 'watch' && topic !== undefined && topic !== topicOf(asObject(asked.body)))
    return refuse(400, {
      reason: 'failedPrecondition',
      message:
        'Only one user push notification client allowed per developer (call /stop then try again)',
    });
  if (path === 'history' && start !== null) {
    if (!/^\d+$/.test(start)) return refuse(400, { message: 'Invalid startHistoryId' });
    if (BigInt(start) < gmail.historyFloor) return refuse(404);
  }
  return forward(gmail, permitted);
}

/** Unchanged mailboxes have a history number too. */
function atLeast(floor: bigint, id: unknown): string {
  return typeof id === 'string' && BigInt(id) > floor ? id : floor.toString();
}

async function profile({ mailboxes, historyFloor }: Gmail, email: string): Promise<StandInReply> {
  const count = async (path: string) => {
    const query = new URLSearchParams({ maxResults: '1', includeSpamTrash: 'true' });
    const said = await mailboxes.call(email, { method: 'GET', path, query });
    return Number(said.body['resultSizeEstimate'] ?? 0);
  };
  const query = new URLSearchParams({ startHistoryId: '0', maxResults: '1' });
  const [messagesTotal, threadsTotal, history] = await Promise.all([
    count('messages'),
    count('threads'),
    mailboxes.call(email, { method: 'GET', path: 'history', query }),
  ]);
  const historyId = atLeast(historyFloor, history.body['historyId']);
  return { status: 200, body: { emailAddress: email, messagesTotal, threadsTotal, historyId } };
}

async function forward(
  { mailboxes, historyFloor, pushes }: Gmail,
  { email, path, asked }: Permitted,
): Promise<StandInReply> {
  const { method, query, body } = asked;
  const sent = method === 'GET' || body.length === 0 ? undefined : asObject(body);
  const said = await mailboxes.call(email, { method, path, query, ...(sent && { body: sent }) });
  if ('historyId' in said.body && (path === 'history' || path === 'watch'))
    said.body['historyId'] = atLeast(historyFloor, said.body['historyId']);
  if (path === 'stop') pushes.watched.delete(email);
  if (path === 'watch' && said.status === 200) {
    pushes.watched.set(email, topicOf(sent ?? {}));
    said.body['expiration'] = String(Date.now() + WATCH);
  }
  return put(mailboxes, { email, query, said });
}

function topicOf(sent: object): string {
  return 'topicName' in sent ? String(sent.topicName) : '';
}

function asObject(body: Buffer): object {
  try {
    return JSON.parse(body.toString()) as object;
  } catch {
    return {};
  }
}

type MessageHolder = {
  id?: unknown;
  payload?: unknown;
  message?: MessageHolder;
  messages?: MessageHolder[];
};

/** The emulator's reply with the real part tree and without empty lists. */
async function put(
  mailboxes: Mailboxes,
  { email, query, said }: { email: string; query: URLSearchParams; said: MailboxReply },
): Promise<StandInReply> {
  const body = { ...said.body } as Record<string, unknown> & MessageHolder;
  if (said.status >= 400) return { status: said.status, body };
  for (const name of LISTS)
    if (Array.isArray(body[name]) && body[name].length === 0) delete body[name];
  const described = [body, body.message, ...(body.messages ?? [])].filter((one) => one?.payload);
  for (const one of described) {
    const raw = await mailboxes.raw(email, String(one?.id));
    if (one && raw) one.payload = describe(raw, query);
  }
  return { status: said.status, body: said.status === 204 ? '' : body };
}

function describe(raw: Buffer, query: URLSearchParams) {
  const payload = describePart(raw);
  if (query.get('format')?.toLowerCase() !== 'metadata') return payload;
  const wanted = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  const headers = payload.headers.filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()),
  );
  return { partId: '', mimeType: payload.mimeType, filename: '', headers };
}

async function write(
  gmail: Gmail,
  permitted: Permitted,
  uploaded: Uploaded,
): Promise<StandInReply> {
  const { email, path, asked } = permitted;
  if (path === 'messages/send') return send(gmail, email, uploaded);
  if (path === 'drafts/send') return sendDraft(gmail, email, uploaded);
  const { raw, metadata } = uploaded;
  if (!raw || !looksLikeMail(raw))
    return refuse(400, {
      message:
        "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    });
  const inner = (metadata['message'] ?? {}) as Record<string, unknown>;
  const message = { ...metadata, ...inner, ...(await describeMail(raw)), message: undefined };
  const body = path.startsWith('drafts') ? { message } : message;
  const said = await gmail.mailboxes.call(email, { method: asked.method, path, body });
  return brief(said);
}

async function sendDraft(gmail: Gmail, email: string, uploaded: Uploaded): Promise<StandInReply> {
  const { id } = uploaded.metadata;
  if (typeof id !== 'string') return refuse(400, { message: 'Missing draft id' });
  const path = `drafts/${encodeURIComponent(id)}`;
  const query = new URLSearchParams({ format: 'raw' });
  const found = await gmail.mailboxes.call(email, { method: 'GET', path, query });
  if (found.status !== 200) return refuse(404);
  const { raw, threadId } = found.body['message'] as { raw: string; threadId: string };
  const kept = Buffer.from(raw, 'base64url');
  const sent = await send(gmail, email, { raw: uploaded.raw ?? kept, metadata: { threadId } });
  if (sent.status === 200) await gmail.mailboxes.call(email, { method: 'DELETE', path });
  return sent;
}

async function send(gmail: Gmail, email: string, uploaded: Uploaded): Promise<StandInReply> {
  const { raw, metadata } = uploaded;
  if (!raw || !looksLikeMail(raw))
    return refuse(400, {
      message:
        "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    });
  const to = await recipientsOf(raw);
  if (to.length === 0) return refuse(400, { message: 'Recipient address required' });
  const message = stamped(raw, email);
  const isToSelf = to.includes(email.toLowerCase());
  const body = {
    ...(await describeMail(message)),
    threadId: metadata['threadId'],
    labelIds: isToSelf ? ['INBOX', 'UNREAD'] : [],
  };
  const said = await gmail.mailboxes.call(email, { method: 'POST', path: 'messages/send', body });
  if (said.status !== 200) return { status: said.status, body: said.body };
  const others = gmail.users.filter(
    (user) => user.email !== email && to.includes(user.email.toLowerCase()),
  );
  for (const other of others)
    await gmail.mailboxes.deliver(other.email, withoutBcc(message), ['INBOX', 'UNREAD']);
  gmail.onSend({ from: email, to, raw: message });
  return brief(said);
}

/** Gmail requires these headers, and adds missing ones. */
function stamped(raw: Buffer, email: string): Buffer {
  const head = raw.toString('latin1').split(/\r?\n\r?\n/, 1)[0] ?? '';
  const missing = [
    /^from:/im.test(head) ? '' : `From: ${email}\r\n`,
    /^date:/im.test(head) ? '' : `Date: ${new Date().toUTCString().replace('GMT', '+0000')}\r\n`,
    /^message-id:/im.test(head) ? '' : `Message-ID: <${crypto.randomUUID()}@mail.gmail.com>\r\n`,
  ];
  return Buffer.concat([Buffer.from(missing.join('')), raw]);
}

function looksLikeMail(raw: Buffer): boolean {
  return /^[\x21-\x39\x3b-\x7e]+:/.test(raw.subarray(0, 200).toString('latin1'));
}

/** Reply to a created message or draft: ids and labels only. */
function brief({ status, body }: MailboxReply): StandInReply {
  if (status >= 400) return { status, body };
  const short = ({ id, threadId, labelIds }: Record<string, unknown>) => ({
    id,
    threadId,
    labelIds,
  });
  const { message } = body as { message?: Record<string, unknown> };
  return { status, body: message ? { id: body['id'], message: short(message) } : short(body) };
}

/** An uploaded message with its metadata. */
type Uploaded = { raw: Buffer | undefined; metadata: Record<string, unknown> };

/** Unfinished resumable uploads. */
type Sessions = Map<string, { metadata: Record<string, unknown>; received: Buffer[] }>;

/** Gmail's message size limit in bytes. */
const MAX_UPLOAD = 36_700_160;

/** The message of a request in any form, or the reply to send instead. */
function readUpload(
  asked: StandInRequest,
  sessions: Sessions,
  url: string,
): { uploaded: Uploaded } | { answer: StandInReply } {
  const found = readAny(asked, sessions, url);
  if ('answer' in found) return found;
  const { raw } = found.uploaded;
  return raw !== undefined && raw.length > MAX_UPLOAD ? { answer: refuse(413) } : found;
}

function readAny(asked: StandInRequest, sessions: Sessions, url: string) {
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
function readRelated({ headers, body }: StandInRequest): Uploaded {
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

function resume(
  { method, path, query, headers, body }: StandInRequest,
  sessions: Sessions,
  url: string,
) {
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

const REASONS: Record<number, [reason: string, status: string, message: string]> = {
  400: ['invalidArgument', 'INVALID_ARGUMENT', 'Invalid argument'],
  401: ['authError', 'UNAUTHENTICATED', 'Invalid Credentials'],
  403: ['rateLimitExceeded', 'PERMISSION_DENIED', 'User-rate limit exceeded.'],
  404: ['notFound', 'NOT_FOUND', 'Requested entity was not found.'],
  413: ['uploadTooLarge', 'INVALID_ARGUMENT', 'Request Entity Too Large'],
  429: ['rateLimitExceeded', 'RESOURCE_EXHAUSTED', 'Too many concurrent requests for user.'],
  503: ['backendError', 'UNAVAILABLE', 'The service is currently unavailable.'],
};

/** An error in the form of Google's APIs. */
export function googleError(code: number, given: { message?: string; reason?: string } = {}) {
  const [reason, status, message] = REASONS[code] ?? [
    'backendError',
    'INTERNAL',
    'Internal error.',
  ];
  const said = { message: given.message ?? message, reason: given.reason ?? reason };
  return {
    error: { code, message: said.message, errors: [{ ...said, domain: 'global' }], status },
  };
}

/** The same as a reply. */
function refuse(status: number, given?: { message?: string; reason?: string }): StandInReply {
  return { status, body: googleError(status, given) };
}

/** Endpoint and token claims of a Pub/Sub subscription. */
type Subscription = { endpoint: string; audience: string };

/** A prepared Pub/Sub call. */
type Push = { authorization: string; body: string };

export const TOPIC = 'projects/stand-in/topics/gmail';
export const ACCOUNT = 'push@stand-in.iam.gserviceaccount.com';
const HOUR = 3600;

/** Gmail's change notices through Pub/Sub. */
export class Pushes {
  /** Topics by watched mailbox. */
  readonly watched = new Map<string, string>();
  /** Absent: pushes are off. */
  subscription: Subscription | undefined;

  /** @param claims override or extend Google's */
  compose(change: object, claims: object = {}): Push {
    const now = Math.floor(Date.now() / 1000);
    const token = signJwt({
      iss: 'https://accounts.google.com',
      aud: this.subscription?.audience,
      azp: '113774264463038321964',
      sub: '113774264463038321964',
      email: ACCOUNT,
      email_verified: true,
      iat: now,
      exp: now + HOUR,
      ...claims,
    });
    return { authorization: `Bearer ${token}`, body: JSON.stringify(envelope(change)) };
  }

  /** Publishes a change of a watched mailbox. @returns the reply's status, if a call was made */
  async publish(email: string, historyId: bigint): Promise<number | undefined> {
    if (!this.watched.has(email) || !this.subscription) return undefined;
    // Google sends a number, despite its documentation; larger values would lose precision.
    return this.send(this.compose({ emailAddress: email, historyId: historyId.toString() }));
  }

  async send({ authorization, body }: Push): Promise<number> {
    const response = await fetch(this.subscription?.endpoint ?? '', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  }
}

function envelope(change: object) {
  const id = randomUUID();
  const at = new Date().toISOString();
  const data = Buffer.from(JSON.stringify(change)).toString('base64');
  return {
    message: { data, messageId: id, message_id: id, publishTime: at, publish_time: at },
    subscription: 'projects/stand-in/subscriptions/matterdesk',
  };
}
