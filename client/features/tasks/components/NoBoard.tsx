import Briefcase from 'lucide-react/icons/briefcase-business';
import FolderSearch from 'lucide-react/icons/folder-search';
import FolderX from 'lucide-react/icons/folder-x';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useMay } from '../../../core/store.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

function NoCaseChosen({ hasNoMatters }: { hasNoMatters: boolean }) {
  const canCreate = useMay('createCases');
  if (!hasNoMatters)
    return (
      <EmptyState icon={FolderSearch} title="No case chosen">
        Choose a case to see its board.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Briefcase}
      title="No matters yet"
      action={
        canCreate ? (
          // The pointer reaches the board through what lies over it, but not through this.
          <Link
            to={paths.newCase}
            className={`pointer-events-auto ${buttonClass({ variant: 'primary' })}`}
          >
            New Case
          </Link>
        ) : undefined
      }
    >
      {canCreate
        ? 'Tasks belong to a matter. Add the first one, then its tasks.'
        : 'Tasks belong to a matter. Matters appear here once someone with permission creates the first one.'}
    </EmptyState>
  );
}

interface NoBoardProps {
  why: 'unchosen' | 'failed' | 'unknown';
  hasNoMatters: boolean;
  onRetry: () => void;
}

/** Says why there is no board: no case is chosen yet, none has this address, or it could not be loaded. */
export function NoBoard({ why, hasNoMatters, onRetry }: NoBoardProps) {
  if (why === 'unchosen') return <NoCaseChosen hasNoMatters={hasNoMatters} />;
  if (why === 'failed')
    return (
      <ErrorState
        title="Couldn’t load the board"
        detail="Nothing is lost. Check your connection and try again."
        onRetry={onRetry}
      />
    );
  return (
    <EmptyState
      icon={FolderX}
      title="Case not found"
      action={
        <Link to={paths.matters} className={buttonClass()}>
          Go to Matters
        </Link>
      }
    >
      This case doesn’t exist, or the link is wrong. Choose another one above.
    </EmptyState>
  );
}
