import type { ReactNode } from 'react';
import { ErrorState } from '../ui/ErrorState.tsx';
import type { Failure } from './entries.ts';

interface PendingProps {
  /** A resource without data. */
  of: { failure: Failure | null; status: string; refresh: () => void };
  /** Its name after “Couldn’t load”: 'the contacts'. */
  what: string;
  /** A placeholder in the size of the content. */
  children?: ReactNode;
}

/** In place of what is not loaded: a placeholder, or why it failed with a button to try again. */
export function Pending({ of: { failure, status, refresh }, what, children }: PendingProps) {
  if (!failure) return children;
  return (
    <ErrorState
      title={`Couldn’t load ${what}`}
      detail={failure.message}
      busy={status === 'loading'}
      onRetry={refresh}
    />
  );
}
