// Rules applied to matters, and proposals when what deadlines count from moves.

import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Binder } from '../../../http/bind.ts';
import { applyCourtRule } from './service.applying.ts';
import { decideProposal, listProposals, requireProposalDecider } from './service.ts';

export function serveChains(binder: Binder) {
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
