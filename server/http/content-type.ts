import type { FastifyRequest } from 'fastify';
import type { Route } from '@matterdesk/contract/route.ts';
import { Refusal } from '../core/refusal.ts';

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
    throw new Refusal('tooLarge', 'The file is too large');
}

function mediaType(contentType: string) {
  return contentType.split(';', 1)[0]?.trim().toLowerCase();
}

function isUtf8(contentType: string) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType);
  return !charset || /^utf-?8$/i.test(charset[1] ?? '');
}
