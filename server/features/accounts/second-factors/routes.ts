import { passkeyRoutes, secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import type { Binder } from '../../../http/bind.ts';
import { callerOf } from '../signing-in/routes.ts';
import { beginTotp, confirmTotp, endTotp, removeSecondFactor } from './service.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './service.passkeys.ts';

export function serveSecondFactors(binder: Binder) {
  servePasskeys(binder);
  binder.serve(secondFactorRoutes, {
    beginTotp: ({ context, body, request }) => beginTotp(context, body, callerOf(request)),
    confirmTotp: ({ context, body, request }) => confirmTotp(context, body, callerOf(request)),
    endTotp: async ({ context, body, request }) => {
      await endTotp(context, body, callerOf(request));
      return null;
    },
    removeSecondFactor: async ({ context, params }) => {
      await removeSecondFactor(context, params.id);
      return null;
    },
  });
}

function servePasskeys(binder: Binder) {
  const { begin, add, list, remove } = passkeyRoutes;
  binder.serve(
    { begin, add, list, remove },
    {
      begin: ({ context, body, request }) => beginPasskey(context, body, callerOf(request)),
      add: ({ context, body }) => addPasskey(context, body),
      list: ({ context }) => listPasskeys(context),
      remove: async ({ context, params, body, request }) => {
        await removePasskey(context, { ...params, ...body }, callerOf(request));
        return null;
      },
    },
  );
}
