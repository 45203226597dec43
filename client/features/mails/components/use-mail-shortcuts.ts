import { type RefObject, useEffect, useRef } from 'react';
import { isForOthers } from '../../../ui/list-keys.ts';

/** Runs the action of a key, such as `c`, pressed anywhere on the page. */
export function useMailShortcuts(
  page: RefObject<HTMLElement | null>,
  actions: Readonly<Record<string, () => void>>,
) {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const action = latest.current[event.key];
      if (!action || isForOthers(event, page.current)) return;
      action();
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [page]);
}
