import type { FastifyRequest, FastifyReply } from 'fastify';
import type { Actor, EnrollmentState, SessionOwner } from '../core/actor.ts';
import { Refusal } from '../core/refusal.ts';
import '@fastify/cookie';

type OwnerOf = (token: string) => Promise<SessionOwner | undefined>;

/**
 * Creates the gate of every protected route: the token in `x-auth-token` must belong to a valid session. Routes for
 * plain links also accept the session cookie.
 * @throws Refusal invalidToken
 */
export function createGate(ownerOf: OwnerOf) {
  return async (
    request: FastifyRequest,
    takesCookie: boolean,
  ): Promise<Actor & EnrollmentState> => {
    const cookie = takesCookie ? request.cookies[SESSION_COOKIE] : undefined;
    const token = request.headers['x-auth-token'] ?? cookie;
    const owner = typeof token === 'string' && token ? await ownerOf(token) : undefined;
    if (!owner) throw new Refusal('invalidToken');
    const socketId = request.headers['x-socket-id'];
    return {
      ...owner,
      requestId: request.id,
      socketId: typeof socketId === 'string' ? socketId : undefined,
    };
  };
}

export const SESSION_COOKIE = 'matterdesk_session';
export const BROWSER_COOKIE = 'matterdesk_browser';
/** Seconds. */
const YEAR = 365 * 24 * 3600;

/** Cookies that scripts cannot read. */
export class Cookies {
  readonly #options;

  constructor(publicUrl: string) {
    this.#options = {
      path: '/api/v1',
      httpOnly: true,
      sameSite: 'strict',
      secure: publicUrl.startsWith('https:'),
    } as const;
  }

  /** Accepted only for plain links to file contents and attachments. */
  setSession(reply: FastifyReply, token: string): void {
    void reply.setCookie(SESSION_COOKIE, token, this.#options);
  }

  clearSession(reply: FastifyReply): void {
    void reply.clearCookie(SESSION_COOKIE, this.#options);
  }

  /** Marks a browser in which the user signed in before; grants no access. */
  setBrowser(reply: FastifyReply, token: string): void {
    const options = { ...this.#options, path: '/api/v1/users', maxAge: YEAR };
    void reply.setCookie(BROWSER_COOKIE, token, options);
  }
}
