// Rules applied to matters, and proposals when what deadlines count from moves.

import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Binder } from '../../../http/bind.ts';
import type { RuleApplication } from './service.applying.ts';
import type { ProposalService } from './service.ts';

type Services = { application: RuleApplication; proposals: ProposalService };

export function bindChains(binder: Binder, { application, proposals }: Services) {
  binder.bind(proposalRoutes.applyRule, ({ actor, body, once }) =>
    application.apply(actor, body, once),
  );
  binder.bind(proposalRoutes.listProposals, async ({ actor }) => ({
    proposals: await proposals.listProposals(actor),
  }));
  binder.bind(
    proposalRoutes.decideProposal,
    ({ actor, params, body }) => proposals.decide(actor, params.id, body),
    ({ actor, params }) => proposals.requireDecider(actor, params.id),
  );
}
