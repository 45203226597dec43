import { useEffect, useRef, useState } from 'react';
import type { Faults } from './use-sending.ts';

interface WritingFocus {
  isSmall: boolean;
  isBelow: boolean;
  isToEmpty: boolean;
  faults: Faults;
}

/** Focuses the first field to fill in, and restores the focus on closing. */
export function useWritingFocus({ isSmall, isBelow, isToEmpty, faults }: WritingFocus) {
  const to = useRef<HTMLInputElement>(null);
  const message = useRef<HTMLTextAreaElement>(null);
  const begin = useRef({ isToEmpty });
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const panel = message.current?.closest('[role=dialog]');
    if (isBelow) panel?.scrollIntoView({ block: 'nearest' });
  }, [isBelow]);
  useEffect(() => {
    if (isSmall) return;
    if (begin.current.isToEmpty) to.current?.focus({ preventScroll: true });
    else {
      // A reply is written above the quote.
      message.current?.focus({ preventScroll: true });
      message.current?.setSelectionRange(0, 0);
      message.current?.scrollTo(0, 0);
    }
  }, [isSmall]);
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    const panel = to.current?.closest('[role=dialog]');
    panel?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);
  useEffect(
    () => () => {
      const isAway = document.activeElement !== null && document.activeElement !== document.body;
      if (isAway) return;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.getElementById('main')?.focus();
    },
    [opener],
  );
  return { to, message };
}
