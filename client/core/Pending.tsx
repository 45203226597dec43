import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import type { Failure } from './resource.ts';

interface PendingProps {
  /** A resource without data. */
  of: { failure: Failure | null; status: string; refresh: () => void };
  /** Its name after “Couldn’t load”: 'the contacts'. */
  what: string;
  /** One of several on its page: a line instead of a picture. */
  isPart?: boolean;
  /** A placeholder in the size of the content. */
  children?: ReactNode;
}

/**
 * In place of what is not loaded: a placeholder, or why it failed with a button to try again, unless it is not there any
 * more for this user.
 */
export function Pending({ of, what, isPart, children }: PendingProps) {
  const { failure, status, refresh } = of;
  if (!failure) return children;
  if (isPart)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-ink-2">
        {`Couldn’t load ${what}.`}
        <Button size="small" busy={status === 'loading'} onClick={refresh}>
          Try again
        </Button>
      </p>
    );
  if (failure.status === 404)
    return (
      <EmptyState icon={Lock} title={failure.message}>
        It was removed, or you no longer have access to it.
      </EmptyState>
    );
  return (
    <ErrorState
      title={`Couldn’t load ${what}`}
      detail={failure.message}
      busy={status === 'loading'}
      onRetry={refresh}
    />
  );
}
