import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { isSignedIn } from '../../../core/store.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';

/** Asks before unsaved changes are lost by leaving the page; signing out does not ask. */
export function LeaveQuestion({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && isSignedIn() && nextLocation.pathname !== currentLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return undefined;
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isSignedIn()) event.preventDefault();
    };
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Discard what you changed?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
