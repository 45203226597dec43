// Deadlines, the court rules that count them, and proposals to move them.

import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { ActorContext } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { decideProposal, listProposals, requireProposalDecider } from './chains/service.ts';
import {
  addCourtRule,
  addJurisdiction,
  changeCourtRule,
  changeJurisdiction,
  computeDate,
  listCourtRules,
  listJurisdictions,
  applyCourtRule,
} from './counting/service.ts';
import {
  acknowledgeDeadline,
  decideDeadlineChange,
  proposeDeadlineChange,
  verifyDeadline,
} from './service.changes.ts';
import { exportHistory } from './service.export.ts';
import { listIdleCases, listUndatedCases } from './service.idle.ts';
import {
  type Act,
  addDeadline,
  changeDeadline,
  listDeadlines,
  readDeadline,
  requireDeadlinePermission,
} from './service.ts';

export function serveDeadlines(binder: Binder) {
  serveCounting(binder);
  serveProposals(binder);
  const allow =
    (act: Act) =>
    ({ context, params, json }: { context: ActorContext; params: { id: string }; json: unknown }) =>
      requireDeadlinePermission(context, { ...params, act, json });
  binder.serve(deadlineRoutes, {
    listDeadlines: ({ context, query }) => listDeadlines(context, query),
    addDeadline: ({ context, body, once }) => addDeadline(context, body, once),
    exportDeadlines: ({ context, body }) => exportHistory(context, body.case),
    listIdleCases: ({ context, query }) => listIdleCases(context, query),
    listUndatedCases: ({ context, query }) => listUndatedCases(context, query),
    readDeadline: ({ context, params }) => readDeadline(context, params.id),
    changeDeadline: {
      guard: allow('change'),
      handle: ({ context, params, body }) => changeDeadline(context, params.id, body),
    },
    verifyDeadline: {
      guard: allow('verify'),
      handle: ({ context, params, body }) => verifyDeadline(context, params.id, body),
    },
    acknowledgeDeadline: {
      guard: allow('acknowledge'),
      handle: ({ context, params }) => acknowledgeDeadline(context, params.id),
    },
    proposeChange: {
      guard: allow('propose'),
      handle: ({ context, params, body }) => proposeDeadlineChange(context, params.id, body),
    },
    decideChange: {
      guard: allow('decide'),
      handle: ({ context, params, body }) => decideDeadlineChange(context, params.id, body),
    },
  });
}

function serveCounting(binder: Binder) {
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

function serveProposals(binder: Binder) {
  binder.serve(proposalRoutes, {
    applyRule: ({ context, body, once }) => applyCourtRule(context, body, once),
    listProposals: async ({ context }) => ({
      proposals: await listProposals(context),
    }),
    decideProposal: {
      guard: ({ context, params }) => requireProposalDecider(context, params.id),
      handle: ({ context, params, body }) => decideProposal(context, params.id, body),
    },
  });
}
