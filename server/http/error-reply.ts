import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BareRefusal, ErrorCode, Refusal as Envelope } from '@matterdesk/contract/errors.ts';
import {
  isBehindWall,
  isDatabaseUnavailable,
  isForeignKeyViolation,
} from '../core/database-errors.ts';
import { Refusal } from '../core/refusal.ts';
import { isFromAdmin } from './bind.ts';

/** Seconds that a caller should wait when the database is unavailable. */
const RETRY_AFTER_SECONDS = 2;

const DELETED_MEANWHILE = 'Something this refers to was just deleted. Reload and try again.';

const byStatus = new Map<number, ErrorCode>([
  [404, 'notFound'],
  [413, 'tooLarge'],
  [415, 'unsupportedMedia'],
]);

/** Replies to any thrown error. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error);
  if (refusal.code === 'unexpected') request.log.error({ err: error }, 'unexpected');
  if (isForeignKeyViolation(error))
    request.log.warn({ reason: reasonOf(error) }, 'deleted meanwhile');
  if (refusal.code === 'unavailable') request.log.warn({ reason: reasonOf(error) }, 'unavailable');
  if (refusal.code === 'storageFull') request.log.warn({ reason: reasonOf(error) }, 'storage full');
  if (refusal.retryAfter !== undefined)
    void reply.header('retry-after', String(Math.ceil(refusal.retryAfter)));
  const { status, code } = refusal;
  const message = isFromAdmin(request) ? refusal.messageForAdmins : refusal.message;
  const isBare = request.routeOptions.config.bare === true;
  const bare = { status, code, message } satisfies BareRefusal;
  return reply.code(status).send(isBare ? bare : { ...envelopeOf(refusal), message });
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Refusal ? error.cause : undefined;
  return String(cause ?? error);
}

export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error))
    return new Refusal('unavailable', undefined, { retryAfter: RETRY_AFTER_SECONDS, cause: error });
  // Each service looks for what a request names; someone may delete it before the write ends.
  if (isForeignKeyViolation(error))
    return new Refusal('conflict', DELETED_MEANWHILE, { cause: error });
  // It also looks for the matter, which may be walled before the write ends.
  if (isBehindWall(error)) return new Refusal('notFound', undefined, { cause: error });
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Refusal(byStatus.get(status) ?? 'invalidInput', undefined, { cause: error });
  return new Refusal('unexpected', undefined, { cause: error });
}

function envelopeOf({ status, code, message, errors }: Refusal): Envelope {
  return { statusCode: status, code, message, body: null, ...(errors && { errors }) };
}

export function replyNoSuchRoute(_request: FastifyRequest, reply: FastifyReply) {
  return reply.code(404).send(envelopeOf(new Refusal('notFound')));
}
