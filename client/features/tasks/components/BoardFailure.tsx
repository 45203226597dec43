import FolderX from 'lucide-react/icons/folder-x';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

/** Shown in place of a board that does not exist or could not be loaded. */
export function BoardFailure(props: { status: 'failed' | 'unknown'; onRetry: () => void }) {
  if (props.status === 'failed')
    return (
      <ErrorState
        title="Couldn’t load the board"
        detail="Nothing is lost. Check your connection and try again."
        onRetry={props.onRetry}
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
      No case has this address. Choose another one above.
    </EmptyState>
  );
}
