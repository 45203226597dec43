import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

/** Bytes of a JSON body. */
export const JSON_LIMIT = 1_000_000;
/** Levels of nesting; no body of the contract has more than three. */
const DEPTH_LIMIT = 32;

/** What the parser hands on: read whole and in bounds, not yet understood, since permission is decided first. */
export type RawJson = { bytes: Buffer };

export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_LIMIT },
    (request, bytes, done) => {
      if (isUtf8(request.headers['content-type'] ?? ''))
        done(null, { bytes: Buffer.from(bytes) } satisfies RawJson);
      else done(new Refusal('unsupportedMedia', 'JSON is accepted in UTF-8 only'));
    },
  );
}

function isUtf8(contentType: string) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType);
  return !charset || /^utf-?8$/i.test(charset[1] ?? '');
}

/**
 * Understands a body; none at all is `{}`, so that each missing field is reported.
 * @throws Refusal invalidInput
 */
export function parseJson(body: unknown): unknown {
  const bytes = (body as RawJson | undefined)?.bytes;
  if (!bytes || bytes.length === 0) return {};
  const text = decode(bytes);
  if (isTooDeep(text)) throw new Refusal('invalidInput', 'The JSON is nested too deeply');
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

/** Counts brackets outside strings, before the parser spends anything on them. */
function isTooDeep(text: string) {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > DEPTH_LIMIT) return true;
  }
  return false;
}
