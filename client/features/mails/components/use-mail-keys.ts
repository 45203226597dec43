import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface MailKeys {
  ids: readonly string[];
  /** The mail that is open. */
  open: string | null;
  box: RefObject<HTMLElement | null>;
  show: RefObject<(index: number) => void>;
  onOpen: (id: string) => void;
  /** What single keys do, such as `c`. */
  actions: Record<string, () => void>;
}

/**
 * The keys of a mailbox. With a mail open j and k lead to its neighbours, else they and the arrows move
 * along the rows; the row's own link has Enter.
 */
export function useMailKeys({ ids, open, box, show, onOpen, actions }: MailKeys) {
  const [active, setActive] = useState<string | null>(null);
  const wanted = useRef<string>(undefined);
  const at = ids.indexOf(open ?? active ?? '');

  const focusRow = useCallback(
    (id: string) => {
      const row = box.current?.querySelector<HTMLElement>(`[data-mail="${CSS.escape(id)}"]`);
      row?.focus({ preventScroll: true });
      return row !== null && row === document.activeElement;
    },
    [box],
  );
  /** Brings the focus to a row, now or as soon as it is drawn. */
  const goTo = useCallback(
    (id: string) => {
      const index = ids.indexOf(id);
      if (index < 0) return;
      show.current(index);
      if (!focusRow(id)) wanted.current = id;
      setActive(id);
    },
    [ids, show, focusRow],
  );
  const opened = useRef(open);
  useLayoutEffect(() => {
    const before = opened.current;
    opened.current = open;
    // Whoever leaves a mail is at its row again, unless the focus is somewhere already.
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (open === null && before !== null && isNowhere) goTo(before);
  }, [open, goTo]);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    focusRow(wanted.current);
    wanted.current = undefined;
  });

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (isElsewhere(event, box.current)) return;
      const action = actions[event.key];
      const step = stepOf(event, box.current);
      const id = step === undefined ? undefined : ids[clamp(at + step, ids.length)];
      if (action) action();
      else if (id !== undefined && open === null) goTo(id);
      else if (id !== undefined && id !== open) {
        show.current(ids.indexOf(id));
        onOpen(id);
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [ids, open, at, box, show, onOpen, actions, goTo]);

  return { active, setActive };
}

/** Keys that belong to something else: a field, a dialog, the browser. */
function isElsewhere(event: KeyboardEvent, box: HTMLElement | null): boolean {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!box || box.closest('[aria-hidden="true"], [inert], [data-base-ui-inert]')) return true;
  return (
    target instanceof Element &&
    target.closest('input, select, textarea, [role=menu], [role=dialog]') !== null
  );
}

function stepOf({ key, target }: KeyboardEvent, box: HTMLElement | null): number | undefined {
  if (key === 'j') return 1;
  if (key === 'k') return -1;
  // Elsewhere on the page the arrows scroll.
  if (!(target instanceof Node) || box?.contains(target) !== true) return undefined;
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : undefined;
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}
