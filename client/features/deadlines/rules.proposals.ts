import type { Proposal } from '@matterdesk/contract/proposals.ts';

/** 'Trial moved', or whose holidays changed. */
export function proposalInWords({ trigger, items }: Proposal): string {
  if (trigger.type === 'jurisdiction') return `The holidays of ${trigger.title} changed`;
  return items.some(({ to, status }) => to === null && status === 'open')
    ? `${trigger.title} was canceled`
    : `${trigger.title} moved`;
}

/** Proposals that wait for the reader, limited to one matter if the list is. */
export function proposalsFor(proposals: readonly Proposal[], caseId: string): Proposal[] {
  return proposals.filter(({ items }) =>
    items.some(
      ({ canDecide, deadline }) => canDecide && (caseId === '' || deadline.case?.id === caseId),
    ),
  );
}
