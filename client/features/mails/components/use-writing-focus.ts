import { useEffect, useRef, useState } from 'react';

/** Writing begins where something is missing, and the focus goes back to where it came from. */
export function useWritingFocus(isSmall: boolean, isToEmpty: boolean) {
  const to = useRef<HTMLInputElement>(null);
  const message = useRef<HTMLTextAreaElement>(null);
  const begin = useRef({ isToEmpty });
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    if (isSmall) return;
    if (begin.current.isToEmpty) to.current?.focus({ preventScroll: true });
    else {
      // An answer is written above what it answers.
      message.current?.focus({ preventScroll: true });
      message.current?.setSelectionRange(0, 0);
      message.current?.scrollTo(0, 0);
    }
  }, [isSmall]);
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
