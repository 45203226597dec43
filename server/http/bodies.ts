import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '@matterdesk/contract/route.ts';
import { Refusal, invalidField } from '../core/refusal.ts';
import '@fastify/multipart';
import { declaredLength, fileTooLarge, type IncomingFile } from './upload.ts';

/** In bytes. */
const MAX_JSON_BYTES = 1_000_000;
/** The same for calls without a session, which hold a few short fields. */
export const MAX_PUBLIC_JSON_BYTES = 16_000;
/** Levels of nesting; no body of the contract has more than three. */
const MAX_DEPTH = 32;
/** Commas between members and items; the largest list of the contract, of a court's holidays, has half as many. */
const MAX_COMMAS = 20_000;

/** A body within the size limit, parsed only after permission is decided. */
type RawJson = { bytes: Buffer };

/** Bytes of a body whose parts are handled one turn of the event loop after the other. */
const LARGE_BODY_BYTES = 100_000;

export function isLarge(body: unknown): boolean {
  return ((body as RawJson | undefined)?.bytes?.length ?? 0) > LARGE_BODY_BYTES;
}

export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES },
    (_request, bytes, done) => done(null, { bytes: Buffer.from(bytes) } satisfies RawJson),
  );
}

/**
 * Parses a body; a missing body is `{}`, so that each missing field is reported.
 * @throws Refusal invalidInput
 */
export function parseBody(body: unknown): unknown {
  const bytes = (body as RawJson | undefined)?.bytes;
  if (!bytes || bytes.length === 0) return {};
  const text = decode(bytes);
  requireBoundedJson(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal('invalidInput', 'The body is not valid JSON', { cause });
  }
}

function decode(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Refusal('invalidInput', 'The body is not valid UTF-8', { cause });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
// [ and {, and ] and }, differ only in this bit.
const BRACE_BIT = 0x20;
const OPENS = 0x7b;
const CLOSES = 0x7d;

/**
 * Counts brackets and commas outside strings in one pass, before the parser allocates anything for them.
 * @throws Refusal invalidInput
 */
function requireBoundedJson(text: string) {
  let depth = 0;
  let commas = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) index += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA) commas += 1;
    else if ((code | BRACE_BIT) === OPENS) depth += 1;
    else if ((code | BRACE_BIT) === CLOSES) depth -= 1;
    if (depth > MAX_DEPTH) throw new Refusal('invalidInput', 'The JSON is nested too deeply');
    if (commas > MAX_COMMAS) throw new Refusal('invalidInput', 'The JSON has too many values');
  }
}

/** In bytes; ten times the longest text message with ten attachments. */
const MAX_FORM_BYTES = 64_000;

export type Form = Record<string, string | string[]>;

/** Repeated members become lists. */
export function acceptForms(app: FastifyInstance) {
  void app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
}

/**
 * Every parser is registered for the whole application; each route accepts one content type.
 * @throws Refusal unsupportedMedia
 */
export function requireContentType(route: Route, request: FastifyRequest): void {
  if (route.method === 'GET') return;
  const type = request.headers['content-type'];
  const expected = expectedType(route);
  const isWrong = type === undefined ? expected !== JSON_TYPE : mediaType(type) !== expected;
  if (isWrong) throw new Refusal('unsupportedMedia');
  if (expected === JSON_TYPE && !isUtf8(type ?? ''))
    throw new Refusal('unsupportedMedia', 'JSON is accepted in UTF-8 only');
}

const JSON_TYPE = 'application/json';

function expectedType(route: Route): string {
  if (route.file) return 'multipart/form-data';
  return route.form ? 'application/x-www-form-urlencoded' : JSON_TYPE;
}

/** Bytes around a file in a multipart body. */
const MULTIPART_OVERHEAD = 16_384;

/**
 * Refuses a body by its declared length, because size is decided before permission; a file without a length is counted
 * as it arrives.
 * @throws Refusal tooLarge
 */
export function requireFileSize({ fileBytes }: Route, request: FastifyRequest): void {
  const length = Number(request.headers['content-length']);
  if (fileBytes !== undefined && length > fileBytes + MULTIPART_OVERHEAD)
    throw fileTooLarge(fileBytes);
}

function mediaType(contentType: string) {
  return contentType.split(';', 1)[0]?.trim().toLowerCase();
}

function isUtf8(contentType: string) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType);
  return !charset || /^utf-?8$/i.test(charset[1] ?? '');
}

/** A form that a browser sent. `text` is whole when the files have been read. */
export type SentForm = {
  text: ReadonlyMap<string, readonly string[]>;
  files: AsyncGenerator<IncomingFile>;
  /** Bytes of the request, if declared. */
  length: number | undefined;
};

export type FormLimits = {
  /** Controls that take files. */
  fileNames: ReadonlySet<string>;
  files: number;
  /** Limit per file. */
  bytes: number;
};

const MAX_FIELDS = 200;
const MAX_FIELD_BYTES = 20_000;

/** Reads a form in either encoding, with or without files. */
export function readSentForm(request: FastifyRequest, limits: FormLimits): SentForm {
  const text = new Map<string, string[]>();
  const files = request.isMultipart() ? readParts(request, limits, text) : readText(request, text);
  return { text, files, length: declaredLength(request) };
}

function add(text: Map<string, string[]>, name: string, value: string) {
  const values = text.get(name);
  if (values) values.push(value);
  else text.set(name, [value]);
}

async function* readText(request: FastifyRequest, text: Map<string, string[]>) {
  for (const [name, value] of Object.entries((request.body ?? {}) as Form))
    for (const each of Array.isArray(value) ? value : [value]) add(text, name, each);
  yield* [];
}

async function* readParts(
  request: FastifyRequest,
  { fileNames, files, bytes }: FormLimits,
  text: Map<string, string[]>,
): AsyncGenerator<IncomingFile> {
  // A control without a chosen file sends an empty one.
  const parts = files + fileNames.size;
  const limits = {
    fileSize: bytes,
    files: parts,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    parts: MAX_FIELDS + parts,
  };
  let count = 0;
  const options = { limits, defParamCharset: 'utf8', preservePath: true };
  for await (const part of request.parts(options)) {
    if (part.type === 'field') {
      add(text, part.fieldname, typeof part.value === 'string' ? part.value : '');
      continue;
    }
    if (part.filename === '' || !fileNames.has(part.fieldname)) {
      part.file.resume();
      continue;
    }
    count += 1;
    if (count > files) throw invalidField('files', `At most ${files} files`);
    yield { name: part.filename, bytes: part.file, isCut: () => part.file.truncated };
  }
}
