import { useLayoutEffect, useRef } from 'react';

/** Lets Escape end a drag where it began, and a span that is drawn, which FullCalendar does not know. */
export function useEscapeDrag() {
  const drag = useRef<'none' | 'running' | 'canceled'>('none');
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || drag.current !== 'running') return;
      event.preventDefault();
      drag.current = 'canceled';
      document.dispatchEvent(new MouseEvent('mouseup'));
    };
    // A span may end where none can be drawn, which nothing reports.
    const settle = () =>
      setTimeout(() => {
        if (drag.current === 'running') drag.current = 'none';
      });
    document.addEventListener('keydown', handle, true);
    document.addEventListener('mouseup', settle);
    return () => {
      document.removeEventListener('keydown', handle, true);
      document.removeEventListener('mouseup', settle);
    };
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
