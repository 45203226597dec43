import { type RefObject, useEffect } from 'react';

/** Takes the focus from the panel around it, so that keys scroll what the panel shows. */
export function useFirstFocus(element: RefObject<HTMLElement | null>, isThere = true): void {
  useEffect(() => {
    const { current } = element;
    const { activeElement } = document;
    const isPanel = activeElement !== document.body && activeElement?.contains(current);
    if (isThere && current && isPanel) current.focus({ preventScroll: true });
  }, [element, isThere]);
}
