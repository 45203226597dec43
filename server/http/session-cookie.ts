import '@fastify/cookie';
import type { FastifyReply } from 'fastify';

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

  /** Tells where a user signed in before; opens nothing. */
  setBrowser(reply: FastifyReply, token: string): void {
    const options = { ...this.#options, path: '/api/v1/users', maxAge: YEAR };
    void reply.setCookie(BROWSER_COOKIE, token, options);
  }
}
