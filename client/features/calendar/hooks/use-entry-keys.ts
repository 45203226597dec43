import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface EntryKeys {
  grid: RefObject<HTMLElement | null>;
  /** An arrow with Ctrl on an entry; with Shift it changes the end. */
  onArrow: (id: string, key: string, isResize: boolean) => void;
}

/** Keys of the entry with the focus, which it keeps when it is drawn elsewhere. */
export function useEntryKeys({ grid, onArrow }: EntryKeys) {
  const focused = useRef<string>(null);

  useLayoutEffect(() => {
    const { current } = grid;
    const note = ({ target }: FocusEvent) => {
      focused.current = idOf(target);
    };
    const handle = (event: KeyboardEvent) => {
      const id = idOf(event.target);
      if (id === null || !event.key.startsWith('Arrow')) return;
      if (event.ctrlKey) onArrow(id, event.key, event.shiftKey);
      else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') step(current, event);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    current?.addEventListener('focusin', note);
    current?.addEventListener('keydown', handle);
    return () => {
      current?.removeEventListener('focusin', note);
      current?.removeEventListener('keydown', handle);
    };
  });

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body;
      if (isLost && focused.current !== null) elementOf(grid.current, focused.current)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
}

function idOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest('[data-entry]')?.getAttribute('data-entry') ?? null;
}

function elementOf(grid: HTMLElement | null, id: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`) ?? null;
}

/** The entry before or after, in the order in which they are drawn. */
function step(grid: HTMLElement | null, { key, target }: KeyboardEvent) {
  const all = [...(grid?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
  const at = all.findIndex((entry) => entry === target);
  all[at + (key === 'ArrowDown' ? 1 : -1)]?.focus();
}
