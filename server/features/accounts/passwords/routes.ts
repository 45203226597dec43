import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import type { Binder } from '../../../http/bind.ts';
import { clientOf } from '../../../http/client.ts';
import type { PasskeyService } from '../second-factors/service.passkeys.ts';
import type { AccountService } from '../service.ts';
import { callerOf } from '../signing-in/routes.ts';
import type { PasswordService } from './service.ts';

type Services = {
  accounts: AccountService;
  passwords: PasswordService;
  passkeys: PasskeyService;
};

export function bindPasswords(binder: Binder, { accounts, passwords, passkeys }: Services) {
  binder.bind(passwordRoutes.change, async ({ actor, body, request }) => {
    await passwords.change(actor, body, callerOf(request));
    return null;
  });
  binder.bind(passwordRoutes.unlock, async ({ actor, body, request }) => {
    const { password = '', answer } = body;
    await (answer
      ? passkeys.unlock(actor, answer, callerOf(request))
      : passwords.unlock(actor, password, callerOf(request)));
    return null;
  });
  binder.bind(passwordRoutes.forgot, async ({ body, request }) => {
    await passwords.forgot(body.email, clientOf(request));
    return null;
  });
  binder.bind(
    passwordRoutes.createLink,
    ({ actor, params }) => passwords.createLink(actor, params.id),
    ({ actor, params }) => accounts.requireMayChange(actor, params.id),
  );
  binder.bind(passwordRoutes.reset, async ({ body }) => {
    await passwords.reset(body);
    return null;
  });
}
