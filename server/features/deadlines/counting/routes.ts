// Dates counted by the rules of courts.

import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import type { Binder } from '../../../http/bind.ts';
import type { CountingService } from './service.ts';

export function bindCounting(binder: Binder, service: CountingService) {
  binder.bind(courtRuleRoutes.computeDate, ({ body }) => service.compute(body));
  binder.bind(courtRuleRoutes.listJurisdictions, async () => ({
    jurisdictions: await service.listJurisdictions(),
  }));
  binder.bind(courtRuleRoutes.addJurisdiction, ({ actor, body, once }) =>
    service.addJurisdiction(actor, body, once),
  );
  binder.bind(courtRuleRoutes.changeJurisdiction, ({ actor, params, body }) =>
    service.changeJurisdiction(actor, params.id, body),
  );
  binder.bind(courtRuleRoutes.listRules, async () => ({ rules: await service.listRules() }));
  binder.bind(courtRuleRoutes.addRule, ({ actor, body, once }) =>
    service.addRule(actor, body, once),
  );
  binder.bind(courtRuleRoutes.changeRule, ({ actor, params, body }) =>
    service.changeRule(actor, params.id, body),
  );
}
