import { paths } from '../core/paths.ts';

/** Milliseconds within which the second key of a pair follows. */
const KEY_PAIR_TIMEOUT_MS = 1500;
/** Widgets in which letters search. */
const TYPED_INTO = '[role=combobox], [role=listbox], [role=menu], [role=dialog]';

interface GoKeys {
  /** Whether the page has the keys, not a field or a dialog over it. */
  isFree: (event: KeyboardEvent) => boolean;
  go: (path: string) => void;
  /** Ends it. */
  signal: AbortSignal;
}

/** `g`, then `t`: To file. Listens before the pages, of which some have an act for `t` alone. */
export function listenForGoKeys({ isFree, go, signal }: GoKeys): void {
  let began = -Infinity;
  const handle = (event: KeyboardEvent) => {
    const { key, timeStamp, target } = event;
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    const isSearched = target instanceof Element && target.closest(TYPED_INTO) !== null;
    const isSecond = timeStamp - began < KEY_PAIR_TIMEOUT_MS && key === 't';
    const isOurs = !isModified && !isSearched && isFree(event);
    began = isOurs && key === 'g' ? timeStamp : -Infinity;
    if (!isOurs || !isSecond) return;
    event.preventDefault();
    event.stopPropagation();
    go(paths.toFile);
  };
  document.addEventListener('keydown', handle, { capture: true, signal });
}
