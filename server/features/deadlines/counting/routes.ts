// Dates counted by the rules of courts.

import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import type { Binder } from '../../../http/bind.ts';
import {
  addCourtRule,
  addJurisdiction,
  changeCourtRule,
  changeJurisdiction,
  computeDate,
  listCourtRules,
  listJurisdictions,
} from './service.ts';

export function serveCounting(binder: Binder) {
  binder.serve(courtRuleRoutes, {
    computeDate: ({ context, body }) => computeDate(context, body),
    listJurisdictions: async ({ context }) => ({
      jurisdictions: await listJurisdictions(context),
    }),
    addJurisdiction: ({ context, body, once }) => addJurisdiction(context, body, once),
    changeJurisdiction: ({ context, params, body }) => changeJurisdiction(context, params.id, body),
    listRules: async ({ context }) => ({
      rules: await listCourtRules(context),
    }),
    addRule: ({ context, body, once }) => addCourtRule(context, body, once),
    changeRule: ({ context, params, body }) => changeCourtRule(context, params.id, body),
  });
}
