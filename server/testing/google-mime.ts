import { decodeWords } from 'postal-mime';

/** A message part in Gmail's form. */
export type Payload = {
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
