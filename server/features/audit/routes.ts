// The audit log, as a matter’s activity and as the record.

import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Binder } from '../../http/bind.ts';
import { sendCsv } from '../../http/csv.ts';
import type { RecordService } from './record/service.ts';
import type { SealService } from './seals/service.ts';
import type { AuditService } from './service.ts';

type Services = { audit: AuditService; record: RecordService; seals: SealService };

export function bindAudit(binder: Binder, { audit, record, seals }: Services) {
  binder.bind(caseRoutes.readActivity, ({ actor, params, query }) =>
    audit.readActivity(actor, params.id, query),
  );
  binder.bind(auditRoutes.listEntries, ({ actor, query }) => record.list(actor, query));
  binder.bind(auditRoutes.exportEntries, async ({ actor, query, note, request, reply }) => {
    const after = { list: 'audit', ...query };
    await note({ action: 'exported', entity: 'list', entityId: request.id, after });
    const { columns } = record;
    return sendCsv(reply, { name: 'record', columns }, record.export(actor, query));
  });
  binder.bind(auditRoutes.checkSeals, ({ actor }) => seals.check(actor));
  binder.bind(auditRoutes.checkSeal, ({ actor, params }) => seals.checkEntry(actor, params.id));
}
