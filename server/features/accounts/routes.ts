// Users, their sessions and everything that proves who they are.

import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import { passkeyRoutes, secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { BROWSER_COOKIE, type Cookies } from '../../http/authenticate.ts';
import type { Binder } from '../../http/bind.ts';
import { clientOf } from '../../http/client.ts';
import * as passwords from './passwords/service.ts';
import * as invitations from './registration/service.ts';
import { readRegistrationTerms, registerUser } from './registration/service.ts';
import * as passkeys from './second-factors/service.passkeys.ts';
import * as factors from './second-factors/service.ts';
import type { Caller } from './service.attempts.ts';
import * as users from './service.ts';
import * as sessions from './sessions/service.ts';

/** Characters of a user agent that are kept. */
const MAX_AGENT_LENGTH = 300;

export function serveAccounts(binder: Binder, cookies: Cookies) {
  serveUsers(binder, cookies);
  serveInvitations(binder);
  servePasswords(binder);
  servePasskeys(binder, cookies);
  serveSecondFactors(binder);
  serveDevices(binder);
}

function serveUsers(binder: Binder, cookies: Cookies) {
  binder.serve(registrationRoutes, {
    readTerms: ({ context, query }) => readRegistrationTerms(context, query.invitation),
  });
  binder.serve(accountRoutes, {
    register: ({ context, body, request }) =>
      registerUser(context, body, clientOf(request).network),
    login: async ({ context, body, request, reply }) =>
      setCookies(cookies, reply, await sessions.signIn(context, body, callerOf(request))),
    logout: async ({ context, reply }) => {
      await sessions.signOut(context);
      cookies.clearSession(reply);
      return null;
    },
    me: ({ context }) => users.readCurrentUser(context),
    listUsers: async ({ context, query, reply }) => {
      const { users: list, ...page } = await users.listUsers(context, query);
      describePage(reply, page);
      return list;
    },
    changeUser: {
      guard: ({ context, params }) => users.requireMayChange(context, params.id),
      handle: ({ context, params, body }) => users.changeUser(context, params.id, body),
    },
    deactivateUser: {
      guard: ({ context, params }) => users.requireMayChange(context, params.id),
      handle: async ({ context, params }) => {
        await users.deactivateUser(context, params.id);
        return null;
      },
    },
  });
}

function serveInvitations(binder: Binder) {
  binder.serve(invitationRoutes, {
    list: ({ context }) => invitations.listInvitations(context),
    invite: {
      guard: ({ context, json }) => invitations.requireMayInvite(context.actor, json),
      handle: ({ context, body }) => invitations.inviteUser(context, body),
    },
    withdraw: async ({ context, params }) => {
      await invitations.withdrawInvitation(context, params.id);
      return null;
    },
  });
}

function servePasswords(binder: Binder) {
  binder.serve(passwordRoutes, {
    change: async ({ context, body, request }) => {
      await passwords.changePassword(context, body, callerOf(request));
      return null;
    },
    unlock: async ({ context, body, request }) => {
      const { password = '', answer } = body;
      await (answer
        ? passkeys.unlockByPasskey(context, answer, callerOf(request))
        : passwords.unlockByPassword(context, password, callerOf(request)));
      return null;
    },
    forgot: async ({ context, body, request }) => {
      await passwords.requestPasswordReset(context, body.email, clientOf(request));
      return null;
    },
    createLink: {
      guard: ({ context, params }) => users.requireMayChange(context, params.id),
      handle: ({ context, params }) => passwords.createResetLink(context, params.id),
    },
    reset: async ({ context, body }) => {
      await passwords.resetPassword(context, body);
      return null;
    },
  });
}

function servePasskeys(binder: Binder, cookies: Cookies) {
  binder.serve(passkeyRoutes, {
    beginSignIn: ({ context }) => passkeys.beginPasskeySignIn(context),
    signIn: async ({ context, body, request, reply }) =>
      setCookies(cookies, reply, await sessions.signInByPasskey(context, body, callerOf(request))),
    begin: ({ context, body, request }) => passkeys.beginPasskey(context, body, callerOf(request)),
    add: ({ context, body }) => passkeys.addPasskey(context, body),
    list: ({ context }) => passkeys.listPasskeys(context),
    remove: async ({ context, params, body, request }) => {
      await passkeys.removePasskey(context, { ...params, ...body }, callerOf(request));
      return null;
    },
  });
}

function serveSecondFactors(binder: Binder) {
  binder.serve(secondFactorRoutes, {
    beginTotp: ({ context, body, request }) => factors.beginTotp(context, body, callerOf(request)),
    confirmTotp: ({ context, body, request }) =>
      factors.confirmTotp(context, body, callerOf(request)),
    endTotp: async ({ context, body, request }) => {
      await factors.endTotp(context, body, callerOf(request));
      return null;
    },
    removeSecondFactor: async ({ context, params }) => {
      await factors.removeSecondFactor(context, params.id);
      return null;
    },
  });
}

function serveDevices(binder: Binder) {
  binder.serve(deviceRoutes, {
    list: ({ context }) => sessions.listDevices(context),
    end: async ({ context, params }) => {
      await sessions.endDevice(context, params.id);
      return null;
    },
    endOthers: async ({ context }) => {
      await sessions.endOtherDevices(context);
      return null;
    },
  });
}

function setCookies(
  cookies: Cookies,
  reply: FastifyReply,
  { signedIn, browser }: sessions.OpenedSession,
) {
  cookies.setSession(reply, signedIn.token);
  cookies.setBrowser(reply, browser);
  return signedIn;
}

function callerOf(request: FastifyRequest): Caller {
  const agent = (request.headers['user-agent'] ?? '').slice(0, MAX_AGENT_LENGTH);
  return { ...clientOf(request), agent, browser: request.cookies[BROWSER_COOKIE] };
}

/** The body is the bare list, so paging goes into headers. */
function describePage(reply: FastifyReply, page: { total: number; nextCursor: string | null }) {
  void reply.header('x-total', String(page.total));
  if (page.nextCursor) void reply.header('x-next-cursor', page.nextCursor);
}
