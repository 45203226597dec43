// The audit log as a matter’s activity.

import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Binder } from '../../http/bind.ts';
import type { AuditService } from './service.ts';

export function bindAudit(binder: Binder, service: AuditService) {
  binder.bind(caseRoutes.readActivity, ({ actor, params, query }) =>
    service.readActivity(actor, params.id, query),
  );
}
