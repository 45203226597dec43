import { useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { isSignedIn } from './store.ts';

interface LeaveQuestionProps {
  isDirty: boolean;
  /** What the address says of the place that holds the changes; by default its path. Stays the same function. */
  placeOf?: (location: Location) => string;
}

const pathOf = ({ pathname }: Location) => pathname;

/** Asks before unsaved changes are lost by leaving the page; signing out does not ask. */
export function LeaveQuestion({ isDirty, placeOf = pathOf }: LeaveQuestionProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && isSignedIn() && placeOf(nextLocation) !== placeOf(currentLocation),
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
