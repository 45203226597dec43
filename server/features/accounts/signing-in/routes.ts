import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import type { Binder } from '../../../http/bind.ts';
import { clientOf } from '../../../http/client.ts';
import { BROWSER_COOKIE, type Cookies } from '../../../http/authenticate.ts';
import type { Caller } from './service.guard.ts';
import { beginByPasskey, signIn, signInByPasskey } from './service.ts';

/** Characters of a browser's name for itself that are kept. */
const LONGEST_AGENT = 300;

export function serveSigningIn(binder: Binder, cookies: Cookies) {
  const enter = (reply: FastifyReply, { signedIn, browser }: Opened) => {
    cookies.setSession(reply, signedIn.token);
    cookies.setBrowser(reply, browser);
    return signedIn;
  };
  const { login } = accountRoutes;
  binder.serve(
    { login },
    {
      login: async ({ context, body, request, reply }) =>
        enter(reply, await signIn(context, body, callerOf(request))),
    },
  );
  const { beginSignIn, signIn: byPasskey } = passkeyRoutes;
  binder.serve(
    { beginSignIn, signIn: byPasskey },
    {
      beginSignIn: ({ context }) => beginByPasskey(context),
      signIn: async ({ context, body, request, reply }) =>
        enter(reply, await signInByPasskey(context, body, callerOf(request))),
    },
  );
}

type Opened = Awaited<ReturnType<typeof signIn>>;

export function callerOf(request: FastifyRequest): Caller {
  const agent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT);
  return { ...clientOf(request), agent, browser: request.cookies[BROWSER_COOKIE] };
}
