import { passkeyRoutes } from '@matterdesk/contract/passkeys.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import type { Binder } from '../../../http/bind.ts';
import { callerOf } from '../signing-in/routes.ts';
import type { PasskeyService } from './service.passkeys.ts';
import type { SecondFactorService } from './service.ts';

type Services = { secondFactors: SecondFactorService; passkeys: PasskeyService };

export function bindSecondFactors(binder: Binder, services: Services) {
  bindPasskeys(binder, services.passkeys);
  const service = services.secondFactors;
  binder.bind(secondFactorRoutes.beginTotp, ({ actor, body, request }) =>
    service.beginTotp(actor, body, callerOf(request)),
  );
  binder.bind(secondFactorRoutes.confirmTotp, ({ actor, body, request }) =>
    service.confirmTotp(actor, body, callerOf(request)),
  );
  binder.bind(secondFactorRoutes.endTotp, async ({ actor, body, request }) => {
    await service.endTotp(actor, body, callerOf(request));
    return null;
  });
  binder.bind(secondFactorRoutes.removeSecondFactor, async ({ actor, params }) => {
    await service.remove(actor, params.id);
    return null;
  });
}

function bindPasskeys(binder: Binder, service: PasskeyService) {
  binder.bind(passkeyRoutes.begin, ({ actor, body, request }) =>
    service.begin(actor, body, callerOf(request)),
  );
  binder.bind(passkeyRoutes.add, ({ actor, body }) => service.add(actor, body));
  binder.bind(passkeyRoutes.list, ({ actor }) => service.list(actor));
  binder.bind(passkeyRoutes.remove, async ({ actor, params, body, request }) => {
    await service.remove(actor, { ...params, ...body }, callerOf(request));
    return null;
  });
}
