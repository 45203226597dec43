import { createEmulator } from 'emulate';
import PostalMime, { type Address, type Email, decodeWords } from 'postal-mime';
import type { GoogleUser } from './google-accounts.ts';

/** Several emulator accounts per mailbox, since each allows 5,000 requests per hour. */
const PASSES = 200;
const TEXT_LIMIT = 200_000;
/** First bytes of a message, which hold its headers; decoding long attachments is slow. */
const MAX_HEADER_BYTES = 1024 * 1024;

export type MailboxReply = { status: number; body: Record<string, unknown> };
type Call = { method: string; path: string; query?: URLSearchParams; body?: object };

/** Mail of all accounts in the emulator; callers check permissions. */
export class Mailboxes {
  readonly #url: string;
  #turn = 0;
  /** Cache, since every operation needs the whole message. */
  readonly #known = new Map<string, Buffer>();
  readonly close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.#url = url;
    this.close = close;
  }

  static async open(users: GoogleUser[]): Promise<Mailboxes> {
    const passes = users.flatMap(({ email }) =>
      Array.from({ length: PASSES }, (_, index) => [pass(email, index), { login: email }] as const),
    );
    const emulator = await createEmulator({
      service: 'google',
      port: 0,
      seed: { tokens: Object.fromEntries(passes), google: { users } },
    });
    return new Mailboxes(emulator.url, () => emulator.close());
  }

  /** `path` begins after the account, such as `messages/send`. */
  async call(email: string, { method, path, query, body }: Call): Promise<MailboxReply> {
    this.#turn = (this.#turn + 1) % PASSES;
    // A replaced draft keeps its message's id.
    if (method === 'PUT' || method === 'DELETE') this.#known.clear();
    const response = await fetch(
      `${this.#url}/gmail/v1/users/me/${path}?${query?.toString() ?? ''}`,
      {
        method,
        headers: {
          authorization: `Bearer ${pass(email, this.#turn)}`,
          // The emulator closes idle connections, which a busy process notices too late.
          connection: 'close',
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  /** Bytes of a message; undefined for an unknown id. */
  async raw(email: string, id: string): Promise<Buffer | undefined> {
    const key = `${email} ${id}`;
    const known = this.#known.get(key);
    if (known) return known;
    const query = new URLSearchParams({ format: 'raw' });
    const { body } = await this.call(email, { method: 'GET', path: `messages/${id}`, query });
    if (typeof body['raw'] !== 'string') return undefined;
    const raw = Buffer.from(body['raw'], 'base64url');
    this.#known.set(key, raw);
    return raw;
  }

  /** History number of the newest change in any of these accounts. */
  async newest(emails: string[]): Promise<bigint> {
    const query = new URLSearchParams({ startHistoryId: '0', maxResults: '1' });
    const call = { method: 'GET', path: 'history', query };
    const said = await Promise.all(emails.map((email) => this.call(email, call)));
    const ids = said.map(({ body }) => BigInt((body['historyId'] as string | undefined) ?? 0));
    return ids.reduce((one, other) => (one > other ? one : other), 0n);
  }

  /** Delivers an inbound mail. */
  async deliver(email: string, raw: Buffer, labelIds: string[]) {
    const body = { ...(await describeMail(raw)), labelIds };
    const said = await this.call(email, { method: 'POST', path: 'messages/import', body });
    if (said.status !== 200) throw new Error(`not delivered: ${JSON.stringify(said.body)}`);
    return { id: String(said.body['id']), threadId: String(said.body['threadId']) };
  }
}

function pass(email: string, turn: number) {
  return `pass-${turn}-${email}`;
}

/** Decoded fields for the emulator, which reads no encodings. */
export async function describeMail(raw: Buffer) {
  const mail = await parse(raw);
  const text = mail?.text ?? plain(mail?.html ?? '');
  return {
    raw: raw.toString('base64url'),
    from: written(mail?.from ? [mail.from] : []),
    to: written(mail?.to ?? []),
    cc: written(mail?.cc ?? []),
    bcc: written(mail?.bcc ?? []),
    subject: mail?.subject ?? '',
    snippet: escape(text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)) || ' ',
    body_text: text.slice(0, TEXT_LIMIT),
  };
}

/** All recipients in lower case, without duplicates. */
export async function recipientsOf(raw: Buffer): Promise<string[]> {
  const mail = await parse(raw);
  const all = [...(mail?.to ?? []), ...(mail?.cc ?? []), ...(mail?.bcc ?? [])];
  const addresses = all.flatMap((one) => (one.group ?? [one]).map(({ address }) => address ?? ''));
  return [...new Set(addresses.filter((one) => one.includes('@')).map((one) => one.toLowerCase()))];
}

/** Without a header that recipients do not see. */
export function withoutBcc(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const head = text.slice(0, end).replaceAll(/^bcc:.*(?:\r?\n[ \t].*)*\r?\n?/gim, '');
  return Buffer.from(head + text.slice(end), 'latin1');
}

async function parse(raw: Buffer): Promise<Email | undefined> {
  return PostalMime.parse(raw.subarray(0, MAX_HEADER_BYTES), {
    forceRfc822Attachments: true,
  }).catch(() => undefined);
}

function written(addresses: Address[]): string {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => (name ? `${quoted(name)} <${address}>` : (address ?? '')))
    .join(', ');
}

function quoted(name: string) {
  return /[",;<>@]/.test(name) ? JSON.stringify(name) : name;
}

function plain(html: string) {
  return html
    .replaceAll(/<(style|script)\b.*?<\/\1>/gis, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');
}

function escape(text: string) {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A message part in Gmail's form. */
type Payload = {
  partId: string;
  mimeType: string;
  filename: string;
  headers: { name: string; value: string }[];
  body: { size: number; data?: string; attachmentId?: string };
  parts?: Payload[];
};

type Header = { name: string; value: string };
type Entity = { headers: Header[]; body: Buffer };

/** The part tree of an RFC 822 message. */
export function describePart(source: Buffer, partId = ''): Payload {
  const entity = split(source);
  const type = parameters(headerOf(entity, 'content-type') ?? 'text/plain');
  const disposition = parameters(headerOf(entity, 'content-disposition') ?? '');
  const filename = disposition.values['filename'] ?? type.values['name'] ?? '';
  const described = {
    partId,
    mimeType: type.word || 'text/plain',
    filename: decodeWords(filename),
    headers: entity.headers.map(({ name, value }) => ({ name, value: decodeWords(value) })),
  };
  const boundary = type.values['boundary'];
  if (type.word.startsWith('multipart/') && boundary !== undefined) {
    const parts = pieces(entity.body, boundary).map((piece, index) =>
      describePart(piece, partId === '' ? String(index) : `${partId}.${index}`),
    );
    return { ...described, body: { size: 0 }, parts };
  }
  const bytes = decoded(entity);
  const isAttached = filename !== '' || disposition.word === 'attachment';
  return {
    ...described,
    body: isAttached
      ? { size: bytes.length, attachmentId: Buffer.from(`part ${partId}`).toString('base64url') }
      : { size: bytes.length, data: bytes.toString('base64url') },
  };
}

/** Decoded bytes of a part by its id; undefined for an unknown id. */
export function readAttachment(source: Buffer, attachmentId: string): Buffer | undefined {
  const partId = /^part (.*)$/.exec(Buffer.from(attachmentId, 'base64url').toString())?.[1];
  if (partId === undefined) return undefined;
  const steps = partId === '' ? [] : partId.split('.').map(Number);
  let entity = split(source);
  for (const step of steps) {
    const { boundary } = parameters(headerOf(entity, 'content-type') ?? '').values;
    const piece = pieces(entity.body, boundary ?? '')[step];
    if (!piece) return undefined;
    entity = split(piece);
  }
  return decoded(entity);
}

function split(source: Buffer): Entity {
  const text = source.toString('latin1');
  const gap = /\r?\n\r?\n/.exec(text);
  const head = gap ? text.slice(0, gap.index) : text;
  const body = gap ? source.subarray(gap.index + gap[0].length) : Buffer.alloc(0);
  const headers = Buffer.from(head, 'latin1')
    .toString()
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const cut = line.indexOf(':');
      return cut > 0 ? [{ name: line.slice(0, cut), value: line.slice(cut + 1).trim() }] : [];
    });
  return { headers, body };
}

function headerOf({ headers }: Entity, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

/** Value and parameters of `text/plain; name="a"; name*0*=…`, RFC 2231 included. */
function parameters(value: string) {
  const [word = '', ...rest] = value.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const pairs = rest.flatMap((pair) => {
    const found = /^\s*([^=\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(.*?))\s*$/.exec(pair);
    return found
      ? [{ name: (found[1] ?? '').toLowerCase(), text: found[2] ?? found[3] ?? '' }]
      : [];
  });
  const values: Record<string, string> = {};
  for (const { name, text } of pairs) {
    const [, base = name, , star] = /^([^*]+)(\*\d+)?(\*)?$/.exec(name) ?? [];
    const piece = star
      ? percent(text.replace(/^[^']*'[^']*'/, ''))
      : text.replaceAll(/\\(.)/g, '$1');
    values[base] = name === base ? piece : (values[base] ?? '') + piece;
  }
  return { word: word.trim().toLowerCase(), values };
}

function percent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pieces(body: Buffer, boundary: string): Buffer[] {
  const text = `\n${body.toString('latin1')}`;
  const mark = boundary.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [whole = ''] = text.split(new RegExp(`\\r?\\n--${mark}--`), 1);
  const found = whole.split(new RegExp(`\\r?\\n--${mark}[ \\t]*\\r?\\n`));
  return found.slice(1).map((piece) => Buffer.from(piece, 'latin1'));
}

function decoded(entity: Entity): Buffer {
  const encoding = headerOf(entity, 'content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(entity.body.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return entity.body;
  const text = entity.body
    .toString('latin1')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(text, 'latin1');
}
