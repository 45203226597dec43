import { useDocumentKey } from '../../../ui/use-document-key.ts';

/** Keys that act while the focus is in the page, and nothing is typed and no dialog is open. */
export function useCalendarKeys(actions: Record<string, () => void>) {
  useDocumentKey((event) => {
    const { key, target, defaultPrevented } = event;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const act = actions[key];
    if (!act || !isPlain || defaultPrevented || !isInPage(target)) return;
    event.preventDefault();
    act();
  });
}

function isInPage(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const takesKeys = 'input, select, textarea, [role=dialog], [role=menu], [role=listbox]';
  if (target.closest(takesKeys) || document.querySelector('[role=dialog]')) return false;
  return target === document.body || target.closest('main') !== null;
}
