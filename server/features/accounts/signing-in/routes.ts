import '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { Binder } from '../../../http/bind.ts';
import { BROWSER_COOKIE, type Cookies } from '../../../http/session-cookie.ts';
import type { Caller, SignInService } from './service.ts';

/** Characters of a browser's name for itself that are kept. */
const LONGEST_AGENT = 300;

export function bindSigningIn(binder: Binder, service: SignInService, cookies: Cookies) {
  binder.bind(accountRoutes.login, async ({ body, request, reply }) => {
    const { signedIn, browser } = await service.signIn(body, callerOf(request));
    cookies.setSession(reply, signedIn.token);
    cookies.setBrowser(reply, browser);
    return signedIn;
  });
}

export function callerOf(request: FastifyRequest): Caller {
  const agent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT);
  return { address: request.ip, agent, browser: request.cookies[BROWSER_COOKIE] };
}
