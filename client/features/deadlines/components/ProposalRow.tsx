import type { Proposal } from '@matterdesk/contract/proposals.ts';
import CalendarSync from 'lucide-react/icons/calendar-sync';
import { cx } from '../../../ui/cx.ts';
import { proposalInWords } from '../rules.proposals.ts';

interface ProposalRowProps {
  proposal: Proposal;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

/** A trigger that moved, and how many deadlines would follow. */
export function ProposalRow({ proposal, isOpen, onOpen }: ProposalRowProps) {
  const { id, items, by } = proposal;
  const matters = [...new Set(items.map(({ deadline }) => deadline.case?.caseName ?? 'The firm'))];
  const open = items.filter(({ status }) => status === 'open').length;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => onOpen(id)}
        className={cx(
          '-mx-2.5 grid min-h-11 w-[calc(100%+1.25rem)] grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3.5 rounded-control px-2.5 py-1 text-left sm:grid-cols-[1.25rem_minmax(0,1fr)_11rem_7.5rem_3rem]',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <CalendarSync aria-hidden="true" className="size-5 text-ink-2" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{proposalInWords(proposal)}</span>
          <span className="block truncate text-note text-ink-2">{matters.join(', ')}</span>
        </span>
        <span className="truncate text-sm font-medium text-ink max-sm:hidden">Decide moves</span>
        <span className="text-right">
          {open === 1 ? '1 deadline' : `${open} deadlines`}
          <span className="block truncate text-note text-ink-2">{by ? by.lastName : ''}</span>
        </span>
        <span />
      </button>
    </li>
  );
}
