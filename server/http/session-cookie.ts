import '@fastify/cookie';
import type { FastifyReply } from 'fastify';

export const SESSION_COOKIE = 'matterdesk_session';

/** The session cookie, accepted only for plain links to file contents and attachments. */
export class SessionCookie {
  readonly #options;

  constructor(publicUrl: string) {
    this.#options = {
      path: '/api/v1',
      httpOnly: true,
      sameSite: 'strict',
      secure: publicUrl.startsWith('https:'),
    } as const;
  }

  set(reply: FastifyReply, token: string): void {
    void reply.setCookie(SESSION_COOKIE, token, this.#options);
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(SESSION_COOKIE, this.#options);
  }
}
