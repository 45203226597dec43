// Conflict checks: names that are typed, and records of what was found and decided.

import { alertRoutes, conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import type { Binder } from '../../http/bind.ts';
import { decideAlert, listAlerts } from './alerts/service.ts';
import { pdfNameOf, printCheck } from './checks/service.records.ts';
import {
  concludeCheck,
  decideHits,
  rerunCheck,
  listChecks,
  previewCheck,
  readCheck,
  runCheck,
} from './checks/service.ts';

export function serveConflicts(binder: Binder) {
  binder.serve(conflictRoutes, {
    lookForConflicts: async ({ context, body }) => ({
      hits: await previewCheck(context, body),
    }),
    runCheck: async ({ context, body, once }) => ({
      check: await runCheck(context, body, once),
    }),
    listChecks: ({ context, query }) => listChecks(context, query),
    readCheck: async ({ context, params }) => ({
      check: await readCheck(context, params.id),
    }),
    decideHits: async ({ context, params, body, once }) => ({
      check: await decideHits(context, params.id, { decision: body, once }),
    }),
    concludeCheck: async ({ context, params, body }) => ({
      check: await concludeCheck(context, params.id, body),
    }),
    rerunCheck: async ({ context, params, once }) => ({
      check: await rerunCheck(context, params.id, once),
    }),
    printCheck: async ({ context, params, note, request, reply }) => {
      const check = await readCheck(context, params.id);
      const after = { list: 'conflict', check: check.id };
      await note({ action: 'exported', entity: 'list', entityId: request.id, after });
      await reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${pdfNameOf(check)}"`)
        .send(printCheck(context, check));
      return undefined;
    },
  });
  binder.serve(alertRoutes, {
    listAlerts: async ({ context, query }) => ({
      alerts: await listAlerts(context, query.decided === '1'),
    }),
    decideAlert: async ({ context, params, body }) => ({
      alert: await decideAlert(context, params.id, body),
    }),
  });
}
