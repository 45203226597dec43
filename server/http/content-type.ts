import type { FastifyRequest } from 'fastify';
import type { Route } from '@matterdesk/contract/route.ts';
import { Refusal } from '../core/refusal.ts';

/**
 * All parsers stand open for the whole application; each route takes one of them.
 * @throws Refusal unsupportedMedia
 */
export function requireContentType(route: Route, request: FastifyRequest): void {
  if (route.method === 'GET') return;
  const type = request.headers['content-type'];
  const wanted = wantedBy(route);
  const isWrong = type === undefined ? wanted !== JSON_TYPE : mediaType(type) !== wanted;
  if (isWrong) throw new Refusal('unsupportedMedia');
  if (wanted === JSON_TYPE && !isUtf8(type ?? ''))
    throw new Refusal('unsupportedMedia', 'JSON is accepted in UTF-8 only');
}

const JSON_TYPE = 'application/json';

function wantedBy(route: Route): string {
  if (route.file) return 'multipart/form-data';
  return route.form ? 'application/x-www-form-urlencoded' : JSON_TYPE;
}

/** What stands around a file in a multipart body. */
const WRAPPING = 16_384;

/**
 * Refuses a body by its declared length, since size is decided before permission; a file without one is
 * counted as it comes in.
 * @throws Refusal tooLarge
 */
export function requireFileSize({ fileBytes }: Route, request: FastifyRequest): void {
  const length = Number(request.headers['content-length']);
  if (fileBytes !== undefined && length > fileBytes + WRAPPING)
    throw new Refusal('tooLarge', 'The file is too large');
}

function mediaType(contentType: string) {
  return contentType.split(';', 1)[0]?.trim().toLowerCase();
}

function isUtf8(contentType: string) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType);
  return !charset || /^utf-?8$/i.test(charset[1] ?? '');
}
