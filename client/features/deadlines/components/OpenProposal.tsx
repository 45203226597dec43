import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { lazy, Suspense } from 'react';

const ProposalDialog = lazy(async () => ({
  default: (await import('./ProposalDialog.tsx')).ProposalDialog,
}));

interface OpenProposalProps {
  proposals: readonly Proposal[];
  openId: string | null;
  onClose: () => void;
}

/** The proposal that the address names, over the list. */
export function OpenProposal({ proposals, openId, onClose }: OpenProposalProps) {
  const proposal = proposals.find(({ id }) => id === openId);
  return (
    <Suspense fallback={null}>
      {proposal && <ProposalDialog proposal={proposal} onClose={onClose} />}
    </Suspense>
  );
}
