import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Deletion } from './use-deletion.ts';

/** Offers to undo a deletion until dismissed, without a time limit. */
export function UndoBar({ deletion: { deleted, isBusy, undo, forget } }: { deletion: Deletion }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button was removed with its file.
    if (deleted) button.current?.focus({ preventScroll: true });
  }, [deleted]);
  return (
    <div role="status">
      {deleted && (
        <div className="mb-2 flex items-center gap-2 rounded-card bg-sunken py-1 pr-1 pl-3">
          <p className="min-w-0 flex-1 truncate">
            Deleted <span className="font-medium">{deleted.name}</span>
          </p>
          <Button ref={button} size="small" icon={Undo2} busy={isBusy} onClick={() => void undo()}>
            Undo
          </Button>
          <IconButton label="Dismiss" icon={X} variant="quiet" size="small" onClick={forget} />
        </div>
      )}
    </div>
  );
}
