// Access to matters: who sees one, and emergency openings.

import { accessRoutes } from '@matterdesk/contract/access.ts';
import type { Binder } from '../../http/bind.ts';
import { openAccess } from './service.overrides.ts';
import { changeAccess, listAccess, previewAccess, readAccess } from './service.ts';

export function serveAccess(binder: Binder) {
  binder.serve(accessRoutes, {
    readAccess: async ({ context, params }) => ({
      access: await readAccess(context, params),
    }),
    changeAccess: async ({ context, params, query, body }) =>
      query.dryRun === '1'
        ? previewAccess(context, params, body)
        : { access: await changeAccess(context, params, body) },
    listAccess: ({ context, query }) => listAccess(context, query),
    openAccess: async ({ context, params, body }) => ({
      until: (await openAccess(context, params, body)).toISOString(),
    }),
  });
}
