import type { FastifyReply } from 'fastify';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { Binder } from '../../http/bind.ts';
import type { Cookies } from '../../http/authenticate.ts';
import {
  changeUser,
  deactivateUser,
  listUsers,
  readCurrentUser,
  requireMayChange,
  signOut,
} from './service.ts';

export function serveAccounts(binder: Binder, cookies: Cookies) {
  const { logout, me, listUsers: list, changeUser: change, deactivateUser: end } = accountRoutes;
  binder.serve(
    { logout, me, listUsers: list, changeUser: change, deactivateUser: end },
    {
      logout: async ({ context, reply }) => {
        await signOut(context);
        cookies.clearSession(reply);
        return null;
      },
      me: ({ context }) => readCurrentUser(context),
      listUsers: async ({ context, query, reply }) => {
        const { users, ...page } = await listUsers(context, query);
        describePage(reply, page);
        return users;
      },
      changeUser: {
        guard: ({ context, params }) => requireMayChange(context, params.id),
        handle: ({ context, params, body }) => changeUser(context, params.id, body),
      },
      deactivateUser: {
        guard: ({ context, params }) => requireMayChange(context, params.id),
        handle: async ({ context, params }) => {
          await deactivateUser(context, params.id);
          return null;
        },
      },
    },
  );
}

/** The body is the bare list, so paging goes into headers. */
function describePage(reply: FastifyReply, page: { total: number; nextCursor: string | null }) {
  void reply.header('x-total', String(page.total));
  if (page.nextCursor) void reply.header('x-next-cursor', page.nextCursor);
}
