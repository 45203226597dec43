import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import type { Binder } from '../../../http/bind.ts';
import { callerOf } from '../signing-in/routes.ts';
import type { SecondFactorService } from './service.ts';

export function bindSecondFactors(binder: Binder, service: SecondFactorService) {
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
