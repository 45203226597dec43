import type { FastifyReply } from 'fastify';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { Binder } from '../../http/bind.ts';
import type { Cookies } from '../../http/session-cookie.ts';
import type { AccountService } from './service.ts';

export function bindAccounts(binder: Binder, service: AccountService, cookies: Cookies) {
  binder.bind(accountRoutes.logout, async ({ actor, reply }) => {
    await service.signOut(actor);
    cookies.clearSession(reply);
    return null;
  });
  binder.bind(accountRoutes.me, ({ actor }) => service.readCurrentUser(actor));
  binder.bind(accountRoutes.listUsers, async ({ actor, query, reply }) => {
    const { users, ...page } = await service.listUsers(actor, query);
    describePage(reply, page);
    return users;
  });
  binder.bind(
    accountRoutes.changeUser,
    ({ actor, params, body }) => service.changeUser(actor, params.id, body),
    ({ actor, params }) => service.requireMayChange(actor, params.id),
  );
  binder.bind(
    accountRoutes.deactivateUser,
    async ({ actor, params }) => {
      await service.deactivateUser(actor, params.id);
      return null;
    },
    ({ actor, params }) => service.requireMayChange(actor, params.id),
  );
}

/** The body is the bare list, so paging goes into headers. */
function describePage(reply: FastifyReply, page: { total: number; nextCursor: string | null }) {
  void reply.header('x-total', String(page.total));
  if (page.nextCursor) void reply.header('x-next-cursor', page.nextCursor);
}
