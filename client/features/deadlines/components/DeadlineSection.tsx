import type { ReactNode } from 'react';
import { useState } from 'react';
import type { DeadlineCounts } from '@matterdesk/contract/deadlines.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { Reader } from '../rules.ts';
import { type Filters, type SectionQuery, sectionList } from '../slice.ts';
import { DeadlineRow } from './DeadlineRow.tsx';
import { ProposalRow } from './ProposalRow.tsx';

const SHOWN = 6;
const ALL = 200;
/** More than are shown, because the next 30 days leave limitations to their own section. */
const FETCHED = 50;

interface DeadlineSectionProps {
  section: SectionQuery['section'];
  title: string;
  empty: string;
  filters: Filters;
  today: string;
  reader: Reader;
  openId: string | null;
  onOpen: (id: string) => void;
  /** Shown first. */
  proposals?: readonly Proposal[];
  onOpenProposal?: (id: string) => void;
  /** The proposals are on their way. */
  isWaiting?: boolean;
}

/** One section of the list, which stays with one line when it is empty. */
export function DeadlineSection(props: DeadlineSectionProps) {
  const { section, title, empty, filters, today, proposals = [], onOpenProposal } = props;
  const [isAll, setIsAll] = useState(false);
  const limit = isAll ? ALL : FETCHED;
  const found = useResource(
    sectionList,
    isExcluded(section, filters) ? null : { section, filters, today, limit },
  );
  const { status, failure, refresh } = found;
  const isWaiting = props.isWaiting === true && !failure;
  const known = isExcluded(section, filters) ? NOTHING : found.data;
  const data = isWaiting ? null : known;
  const ofSection = (data?.deadlines ?? []).filter(
    ({ kind }) => section !== 'next30' || kind !== 'limitation',
  );
  const rows = isAll ? ofSection : ofSection.slice(0, SHOWN);
  const isFiltered = Object.values(filters).some((filter) => filter !== '');
  const counted = isFiltered ? ofSection.length + proposals.length : data?.counts?.[section];
  const total = data ? counted : undefined;
  return (
    <Section
      title={title}
      total={total}
      isWaiting={!data && !failure}
      aside={
        total !== undefined &&
        total > rows.length + proposals.length &&
        !isAll && (
          <Button size="small" variant="quiet" onClick={() => setIsAll(true)}>
            Show all
          </Button>
        )
      }
    >
      {data && rows.length + proposals.length > 0 ? (
        <ul>
          {proposals.map((proposal) => (
            <ProposalRow
              key={proposal.id}
              proposal={proposal}
              isOpen={proposal.id === props.openId}
              onOpen={(id) => onOpenProposal?.(id)}
            />
          ))}
          {rows.map((deadline) => (
            <DeadlineRow
              key={deadline.id}
              deadline={deadline}
              reader={props.reader}
              today={today}
              isOpen={deadline.id === props.openId}
              isWaiting={section === 'waiting'}
              onOpen={props.onOpen}
            />
          ))}
        </ul>
      ) : data ? (
        <p className="py-2.5 text-ink-3">{empty}</p>
      ) : failure ? (
        <ErrorState
          title={`Couldn’t load “${title}”`}
          detail={failure.message}
          busy={status === 'loading'}
          onRetry={refresh}
        />
      ) : (
        <div className="space-y-3 py-2">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-full" />
        </div>
      )}
    </Section>
  );
}

const NOTHING = { deadlines: [], counts: undefined };

/** Limitations have their own section. */
function isExcluded(section: SectionQuery['section'], { kind }: Filters): boolean {
  if (section === 'limitation') return kind !== '' && kind !== 'limitation';
  return section === 'next30' && kind === 'limitation';
}

/** The heading of a section with its count. */
export function Section(props: {
  title: string;
  total: DeadlineCounts['waiting'] | undefined;
  isWaiting?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={props.title}
      data-waiting={props.isWaiting || undefined}
      // Below a section whose length is not known yet, nothing is shown that it would push away.
      className="peer mt-5 first:mt-0 peer-data-waiting:hidden"
    >
      <div className="flex min-h-8 items-center justify-between border-b border-line">
        <h2 className="text-heading font-semibold">
          {props.title}
          <span className="ml-2 font-normal text-ink-3 tabular-nums">
            {props.total?.toLocaleString('en-US') ?? ''}
          </span>
        </h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
