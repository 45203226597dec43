import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router';

/** The row somebody was at last, so that coming back from a case finds it. */
let last: { list: string; id: string } | null = null;

interface RowKeys {
  /** The name of the list. */
  list: string;
  ids: readonly string[];
  body: RefObject<HTMLElement | null>;
  show: (index: number) => void;
}

/** The row that the keyboard is at: j, k, the arrows, Home and End move, Enter follows its link. */
export function useRowKeys({ list, ids, body, show }: RowKeys) {
  const [active, setActive] = useState(() => (last?.list === list ? last.id : null));
  const wanted = useRef<string>(undefined);
  const isBack = useNavigationType() === NavigationType.Pop;
  const at = active === null ? -1 : ids.indexOf(active);

  const activate = useCallback(
    (id: string) => {
      last = { list, id };
      setActive(id);
    },
    [list],
  );

  useLayoutEffect(() => {
    if (isBack && last?.list === list) focusRow(body.current, last.id);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- only when the page opens
  }, []);

  useLayoutEffect(() => {
    if (wanted.current === undefined || wanted.current !== active) return;
    wanted.current = undefined;
    focusRow(body.current, active);
  }, [active, body]);

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const target = isElsewhere(event, body.current) ? undefined : targetOf(event, at, ids.length);
      const id = target === undefined ? undefined : ids[target];
      if (target === undefined || id === undefined) return;
      event.preventDefault();
      show(target);
      if (id === active) focusRow(body.current, id);
      else wanted.current = id;
      activate(id);
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [active, at, ids, body, show, activate]);

  return { active, at, activate };
}

function focusRow(body: HTMLElement | null, id: string): void {
  const row = body?.querySelector(`[data-case="${CSS.escape(id)}"]`);
  row?.querySelector<HTMLElement>('.row-link')?.focus({ preventScroll: true });
}

/** Keys that belong to something else: a field, a dialog, the browser. */
function isElsewhere(event: KeyboardEvent, body: HTMLElement | null): boolean {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!body || body.closest('[aria-hidden="true"], [inert], [data-base-ui-inert]')) return true;
  const isInRows = target instanceof Node && body.contains(target);
  // Elsewhere on the page the arrows scroll.
  if (key !== 'j' && key !== 'k') return !isInRows;
  return (
    target instanceof Element && target.closest('input, select, textarea, [role=menu]') !== null
  );
}

function targetOf({ key }: KeyboardEvent, at: number, length: number): number | undefined {
  if (key === 'j' || key === 'ArrowDown') return Math.min(at + 1, length - 1);
  if (key === 'k' || key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : undefined;
}
