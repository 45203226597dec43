import { useLayoutEffect, useRef } from 'react';

/** Lets Escape end a drag where it began, which FullCalendar does not know. */
export function useEscapeDrag() {
  const drag = useRef<'none' | 'running' | 'canceled'>('none');
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || drag.current !== 'running') return;
      event.preventDefault();
      drag.current = 'canceled';
      document.dispatchEvent(new MouseEvent('mouseup'));
    };
    document.addEventListener('keydown', handle, true);
    return () => document.removeEventListener('keydown', handle, true);
  }, []);
  return {
    begin: () => {
      drag.current = 'running';
    },
    /** Where it did not move, nothing asks whether it was canceled. */
    stop: () => {
      if (drag.current === 'running') drag.current = 'none';
    },
    wasCanceled: () => drag.current === 'canceled',
  };
}
