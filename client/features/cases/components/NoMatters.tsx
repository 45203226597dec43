import Archive from 'lucide-react/icons/archive';
import Briefcase from 'lucide-react/icons/briefcase-business';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { isNarrowed, type ListQuery } from '../rules.lists.ts';
import type { CaseList } from '../slice.ts';
import { formatCount } from '../../../core/words.ts';

interface NoMattersProps {
  query: ListQuery;
  /** Matches of the same search in the other tab, if known. */
  elsewhere: CaseList | null;
  /** Whether the firm has no matter at all. */
  isFirst: boolean;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onClear: () => void;
  onOtherTab: () => void;
}

/** Explains an empty list, and what to do next. */
export function NoMatters(props: NoMattersProps) {
  const { query, isFirst, firstStep } = props;
  if (isNarrowed(query)) return <NoMatch {...props} />;
  if (isFirst)
    return (
      <EmptyState icon={Briefcase} title="No matters yet" action={firstStep}>
        {firstStep
          ? 'Add the first matter, or import a CSV file.'
          : 'Matters appear here once someone with permission creates the first one.'}
      </EmptyState>
    );
  return query.statusType === 'Active' ? (
    <EmptyState icon={Briefcase} title="No active matters">
      All matters are archived.
    </EmptyState>
  ) : (
    <EmptyState icon={Archive} title="The archive is empty">
      Matters appear here when their status type is set to Archive.
    </EmptyState>
  );
}

function NoMatch({ query, elsewhere, onClear, onOtherTab }: NoMattersProps) {
  const others = elsewhere?.total ?? 0;
  const otherTab = query.statusType === 'Active' ? 'Archive' : 'Active';
  const there = `${formatCount(others, elsewhere?.totalIsCapped)} in ${otherTab}`;
  return (
    <EmptyState
      icon={SearchX}
      title="No match"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Button onClick={onClear}>
            {query.search === '' ? 'Clear filters' : 'Clear search'}
          </Button>
          {others > 0 && <Button onClick={onOtherTab}>{`Show ${there}`}</Button>}
        </span>
      }
    >
      <span className="wrap-anywhere">
        {query.search === ''
          ? 'No matters match these filters.'
          : `No matters match “${query.search}”.`}
      </span>
    </EmptyState>
  );
}
