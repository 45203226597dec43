import { useEffect } from 'react';
import { type Location, NavigationType, useBlocker } from 'react-router';
import { lazyNamed } from './chunks.ts';
import { isSignedIn } from './store.ts';

const load = () => import('../ui/ConfirmDialog.tsx');
const ConfirmDialog = lazyNamed(load, 'ConfirmDialog');

interface LeaveQuestionProps {
  isDirty: boolean;
  /** Identifies the place that holds the changes, by default its path. Must be the same function on each render. */
  placeOf?: (location: Location) => string;
  /** Whether Back closes what holds the changes, which is in the address; closing it otherwise does not ask here. */
  isClosedByBack?: boolean;
  words?: typeof discard;
}

const discard = {
  title: 'Discard what you changed?',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
};

const pathOf = ({ pathname }: Location) => pathname;

/** Asks before unsaved changes are lost by leaving the page; signing out does not ask. */
export function LeaveQuestion(props: LeaveQuestionProps) {
  const { isDirty, placeOf = pathOf, isClosedByBack = false, words = discard } = props;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty &&
      isSignedIn() &&
      ((isClosedByBack && historyAction === NavigationType.Pop) ||
        placeOf(nextLocation) !== placeOf(currentLocation)),
  );
  useEffect(() => {
    if (!isDirty) return undefined;
    // Preload the dialog, so that it can ask even if the connection is lost by then.
    void load();
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isSignedIn()) event.preventDefault();
    };
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      open
      {...words}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
