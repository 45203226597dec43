// The audit log, as a matter’s activity and as the record.

import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { activityRoutes } from '@matterdesk/contract/cases.ts';
import type { Binder } from '../../http/bind.ts';
import { sendCsv } from '../../http/csv.ts';
import { checkSealedEntry, verifySeals } from './seals/service.ts';
import { exportRecord, listRecord, readActivity, RECORD_COLUMNS } from './service.ts';

export function serveAudit(binder: Binder) {
  binder.serve(activityRoutes, {
    readActivity: ({ context, params, query }) => readActivity(context, params.id, query),
  });
  binder.serve(auditRoutes, {
    listEntries: ({ context, query }) => listRecord(context, query),
    exportEntries: async ({ context, query, note, request, reply }) => {
      const after = { list: 'audit', ...query };
      await note({ action: 'exported', entity: 'list', entityId: request.id, after });
      return sendCsv(
        reply,
        { name: 'record', columns: RECORD_COLUMNS },
        exportRecord(context, query),
      );
    },
    checkSeals: ({ context }) => verifySeals(context),
    checkSeal: ({ context, params }) => checkSealedEntry(context, params.id),
  });
}
