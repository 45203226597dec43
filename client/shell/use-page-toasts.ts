import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { closeEarlierToasts } from '../ui/toast-store.ts';

const INPUTS = ['pointerdown', 'keydown', 'popstate'] as const;

/** Closes the toasts of a page that the user leaves, but not those of the act that leads away. */
export function usePageToasts(): void {
  const { pathname } = useLocation();
  const acted = useRef(0);
  const shown = useRef(pathname);
  useEffect(() => {
    const note = (event: Event) => (acted.current = event.timeStamp);
    for (const input of INPUTS) globalThis.addEventListener(input, note, true);
    return () => {
      for (const input of INPUTS) globalThis.removeEventListener(input, note, true);
    };
  }, []);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeEarlierToasts(acted.current);
  }, [pathname]);
}
