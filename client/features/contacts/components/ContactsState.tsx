import ContactRound from 'lucide-react/icons/contact-round';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import type { Failure } from '../../../core/entries.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Filters } from '../slice.ts';

interface ContactsStateProps {
  filters: Filters;
  /** Why the list failed to load. */
  failure: Failure | null;
  isBusy: boolean;
  /** The next step, for users with the permission. */
  firstStep: ReactNode;
  onRetry: () => void;
  onClear: () => void;
}

/** Explains an empty list, and what to do next. */
export function ContactsState(props: ContactsStateProps) {
  const { filters, failure, firstStep } = props;
  if (failure)
    return (
      <ErrorState
        title="Couldn’t load the contacts"
        detail={failure.message}
        busy={props.isBusy}
        onRetry={props.onRetry}
      />
    );
  const { search, role, kind } = filters;
  if (search === '' && role === '' && kind === '')
    return (
      <EmptyState icon={ContactRound} title="No contacts yet" action={firstStep}>
        The client and the opposing counsel of each matter appear here by themselves.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title="No match"
      action={<Button onClick={props.onClear}>Clear search</Button>}
    >
      <span className="wrap-anywhere">
        {search === '' ? 'No contacts of this kind and role.' : `No contacts match “${search}”.`}
      </span>
    </EmptyState>
  );
}
