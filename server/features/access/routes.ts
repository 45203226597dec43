// Walls: who sees a matter, and the glass.

import { accessRoutes } from '@matterdesk/contract/access.ts';
import type { Binder } from '../../http/bind.ts';
import type { GlassService } from './service.glass.ts';
import type { AccessService } from './service.ts';

type Services = { access: AccessService; glass: GlassService };

export function bindAccess(binder: Binder, { access: service, glass }: Services) {
  binder.bind(accessRoutes.readAccess, async ({ actor, params }) => ({
    access: await service.readAccess(actor, params),
  }));
  binder.bind(accessRoutes.changeAccess, async ({ actor, params, query, body }) =>
    query.dryRun === '1'
      ? service.previewAccess(actor, params, body)
      : { access: await service.changeAccess(actor, params, body) },
  );
  binder.bind(accessRoutes.listAccess, ({ actor, query }) => service.listAccess(actor, query));
  binder.bind(accessRoutes.openAccess, async ({ actor, params, body }) => ({
    until: (await glass.openAccess(actor, params, body)).toISOString(),
  }));
}
