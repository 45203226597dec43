import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import type { Binder } from '../../../http/bind.ts';
import { clientOf } from '../../../http/client.ts';
import { callerOf } from '../signing-in/routes.ts';
import {
  changePassword,
  createResetLink,
  requestPasswordReset,
  resetPassword,
  unlockByPassword,
} from './service.ts';
import { unlockByPasskey } from '../second-factors/service.passkeys.ts';
import { requireMayChange } from '../service.ts';

export function servePasswords(binder: Binder) {
  binder.serve(passwordRoutes, {
    change: async ({ context, body, request }) => {
      await changePassword(context, body, callerOf(request));
      return null;
    },
    unlock: async ({ context, body, request }) => {
      const { password = '', answer } = body;
      await (answer
        ? unlockByPasskey(context, answer, callerOf(request))
        : unlockByPassword(context, password, callerOf(request)));
      return null;
    },
    forgot: async ({ context, body, request }) => {
      await requestPasswordReset(context, body.email, clientOf(request));
      return null;
    },
    createLink: {
      guard: ({ context, params }) => requireMayChange(context, params.id),
      handle: ({ context, params }) => createResetLink(context, params.id),
    },
    reset: async ({ context, body }) => {
      await resetPassword(context, body);
      return null;
    },
  });
}
