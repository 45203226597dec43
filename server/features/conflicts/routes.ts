// Conflict checks: names that are typed, and records of what was found and decided.

import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import type { Binder } from '../../http/bind.ts';
import { nameOfPrint } from './checks/service.printing.ts';
import type { createConflicts } from './service.assembly.ts';

export function bindConflicts(
  binder: Binder,
  { checks, deciding, printing, alerts }: ReturnType<typeof createConflicts>,
) {
  binder.bind(conflictRoutes.lookForConflicts, async ({ actor, body }) => ({
    hits: await checks.look(actor, body),
  }));
  binder.bind(conflictRoutes.runCheck, async ({ actor, body, once }) => ({
    check: await checks.run(actor, body, once),
  }));
  binder.bind(conflictRoutes.listChecks, ({ actor, query }) => checks.listChecks(actor, query));
  binder.bind(conflictRoutes.readCheck, async ({ actor, params }) => ({
    check: await checks.readCheck(actor, params.id),
  }));
  binder.bind(conflictRoutes.decideHits, async ({ actor, params, body }) => ({
    check: await deciding.decide(actor, params.id, body),
  }));
  binder.bind(conflictRoutes.concludeCheck, async ({ actor, params, body }) => ({
    check: await deciding.conclude(actor, params.id, body),
  }));
  binder.bind(conflictRoutes.rerunCheck, async ({ actor, params }) => ({
    check: await deciding.rerun(actor, params.id),
  }));
  binder.bind(conflictRoutes.printCheck, async ({ actor, params, note, request, reply }) => {
    const check = await checks.readCheck(actor, params.id);
    const after = { list: 'conflict', check: check.id };
    await note({ action: 'exported', entity: 'list', entityId: request.id, after });
    await reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${nameOfPrint(check)}"`)
      .send(printing.print(check));
    return undefined;
  });
  binder.bind(alertRoutes.listAlerts, async ({ actor, query }) => ({
    alerts: await alerts.listAlerts(actor, query.decided === '1'),
  }));
  binder.bind(alertRoutes.decideAlert, async ({ actor, params, body }) => ({
    alert: await alerts.decide(actor, params.id, body),
  }));
}
