import type { FastifyInstance } from 'fastify';
import { Refusal } from '../core/refusal.ts';

/** In bytes. */
const JSON_LIMIT = 1_000_000;
/** The same for calls without a session, which hold a few short fields. */
export const PUBLIC_JSON_LIMIT = 16_000;
/** Levels of nesting; no body of the contract has more than three. */
const DEPTH_LIMIT = 32;
/** Commas between members and items; the largest list of the contract, of a court's holidays, has half as many. */
const COMMA_LIMIT = 20_000;

/** A body within the size limit, parsed only after permission is decided. */
export type RawJson = { bytes: Buffer };

export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_LIMIT },
    (_request, bytes, done) => done(null, { bytes: Buffer.from(bytes) } satisfies RawJson),
  );
}

/**
 * Parses a body; a missing body is `{}`, so that each missing field is reported.
 * @throws Refusal invalidInput
 */
export function parseJson(body: unknown): unknown {
  const bytes = (body as RawJson | undefined)?.bytes;
  if (!bytes || bytes.length === 0) return {};
  const text = decode(bytes);
  requireModest(text);
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
function requireModest(text: string) {
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
    if (depth > DEPTH_LIMIT) throw new Refusal('invalidInput', 'The JSON is nested too deeply');
    if (commas > COMMA_LIMIT) throw new Refusal('invalidInput', 'The JSON has too many values');
  }
}
