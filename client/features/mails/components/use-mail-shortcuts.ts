import { type RefObject } from 'react';
import { isForOthers } from '../../../ui/list-keys.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';

/** Runs the action of a key, such as `c`, pressed anywhere on the page. */
export function useMailShortcuts(
  page: RefObject<HTMLElement | null>,
  actions: Readonly<Record<string, () => void>>,
) {
  useDocumentKey((event) => {
    const action = actions[event.key];
    if (!action || isForOthers(event, page.current)) return;
    action();
    event.preventDefault();
  });
}
