import {
  useLayoutEffect,
  useRef,
  type FocusEvent,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useState,
} from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { isFocusLost } from './focus.ts';
import { indexForKey, isHandledElsewhere } from './list-keys.ts';
import { useDocumentKey } from './use-document-key.ts';
import { type RowWindow, useRowWindow } from './use-row-window.ts';

type Rows = Omit<RowWindow, 'rows' | 'tabStop'> & Omit<RowFocus, 'rows' | 'show'>;

/**
 * The behavior of every list of rows: windowing, j, k, arrows, Home and End, a focus that stays with its row,
 * and the scroll position on return. `rowsProps` go to the positioned element that contains the rows; each row
 * has `data-row={id}` and is moved down by its `offset`. A list of options uses `useListBox`.
 */
export function useRows<E extends HTMLElement>(options: Rows) {
  const rows = useRef<E>(null);
  const show = useRef<(index: number) => void>(() => undefined);
  const { active, tabStop, listeners } = useRowFocus({ ...options, rows, show });
  const window = useRowWindow({ ...options, rows, tabStop });
  useLayoutEffect(() => {
    show.current = window.show;
  });
  const rowsProps = { ref: rows, style: { height: window.height }, ...listeners };
  return { ...window, active, tabStop, rowsProps };
}

interface RowFocus {
  /** Identifies the list, to restore the focused row on return. */
  list: string;
  ids: readonly string[];
  rows: RefObject<HTMLElement | null>;
  /** Brings a row into view. */
  show: RefObject<(index: number) => void>;
  /** The item that is open next to the list: j and k then open its neighbors. */
  open?: string | null | undefined;
  onOpen?: ((id: string) => void) | undefined;
  /** Whether j and k work anywhere on the page, because this is its only list. */
  isPageWide?: boolean;
}

/** The row that was last used on any page. */
let last: { list: string; id: string } | null = null;

/**
 * Focus and keys of a list whose rows have `data-row={id}`; a row's first link or button takes the focus
 * and handles Enter. The focus follows its row by id; if the row disappears, the row in its place gets it.
 */
function useRowFocus(options: RowFocus) {
  const { list, ids, rows, show, open = null, onOpen, isPageWide = false } = options;
  const [active, setActive] = useState(() => (last?.list === list ? last.id : null));
  const at = ids.indexOf(open ?? active ?? '');
  const activate = useCallback(
    (id: string) => {
      last = { list, id };
      setActive(id);
    },
    [list],
  );
  const goTo = useGoTo({ ids, rows, show, activate });
  useFocusOnReturn({ list, ids, rows, open, goTo });
  const { hold, onBlur } = useKeptFocus({ ids, rows, goTo });
  useRowKeys({ ids, at, rows, show, open, onOpen, isPageWide, goTo });
  const handleFocus = (event: SyntheticEvent) => {
    const id = rowOf(event.target);
    if (id === undefined) return;
    if (event.type === 'focus') hold(id);
    activate(id);
  };
  return {
    active,
    tabStop: Math.max(at, 0),
    listeners: { onFocus: handleFocus, onClickCapture: handleFocus, onBlur },
  };
}

type GoTo = Pick<RowFocus, 'ids' | 'rows' | 'show'> & { activate: (id: string) => void };

/** Focuses a row once it is rendered. */
function useGoTo({ ids, rows, show, activate }: GoTo) {
  const pending = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (pending.current === undefined || !focusRow(rows.current, pending.current)) return;
    pending.current = undefined;
  });
  return useCallback(
    (id: string) => {
      show.current(ids.indexOf(id));
      pending.current = focusRow(rows.current, id) ? undefined : id;
      activate(id);
    },
    [ids, rows, show, activate],
  );
}

type Keys = Omit<RowFocus, 'list'> & { at: number; goTo: (id: string) => void };

function useRowKeys({ ids, at, rows, show, open, onOpen, isPageWide, goTo }: Keys) {
  useDocumentKey((event) => {
    if (isHandledElsewhere(event, rows.current)) return;
    const isLetter = event.key === 'j' || event.key === 'k';
    const isInside = event.target instanceof Node && rows.current?.contains(event.target);
    // Elsewhere on the page, the arrows scroll.
    if (!isInside && !(isPageWide && isLetter)) return;
    const next = indexForKey(event.key, at, ids.length);
    const id = next === undefined ? undefined : ids[next];
    if (next === undefined || id === undefined) return;
    event.preventDefault();
    if (open == null || !onOpen) return goTo(id);
    show.current(next);
    if (id !== open) onOpen(id);
  });
}

type Return = Pick<RowFocus, 'list' | 'ids' | 'rows'> & {
  open: string | null;
  goTo: (id: string) => void;
};

/** Focuses the last used row on return to the page, and when the item next to the list closes. */
function useFocusOnReturn({ list, ids, rows, open, goTo }: Return) {
  const isBack = useNavigationType() === NavigationType.Pop;
  const returning = useRef(isBack && open === null && last?.list === list ? last.id : null);
  useLayoutEffect(() => {
    if (returning.current !== null && isFocusLost()) focusRow(rows.current, returning.current);
    returning.current = null;
  }, [rows]);
  const opened = useRef(open);
  useLayoutEffect(() => {
    const before = opened.current;
    opened.current = open;
    if (open === null && before !== null && ids.includes(before) && isFocusLost()) goTo(before);
  }, [open, ids, goTo]);
}

type KeptFocus = Pick<RowFocus, 'ids' | 'rows'> & { goTo: (id: string) => void };

function useKeptFocus({ ids, rows, goTo }: KeptFocus) {
  /** The row that has the focus. React reports no blur for an element that it removes. */
  const held = useRef<string>(undefined);
  const before = useRef(ids);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = ids;
    const id = held.current;
    if (id === undefined || !isFocusLost()) return;
    const next = ids.includes(id) ? id : ids[Math.min(old.indexOf(id), ids.length - 1)];
    held.current = next;
    if (next === undefined) rows.current?.closest('main')?.focus({ preventScroll: true });
    else goTo(next);
  });
  useLayoutEffect(() => {
    const main = rows.current?.closest('main');
    return () => {
      if (held.current === undefined || !main) return;
      // The rows are removed from the document only after this.
      queueMicrotask(() => isFocusLost() && main.focus({ preventScroll: true }));
    };
  }, [rows]);
  const hold = useCallback((id: string) => {
    held.current = id;
  }, []);
  const onBlur = useCallback(({ target }: FocusEvent) => {
    // A window in the background keeps its focused element.
    if (target !== document.activeElement) held.current = undefined;
  }, []);
  return { hold, onBlur };
}

function focusRow(rows: HTMLElement | null, id: string): boolean {
  const row = rows?.querySelector(`[data-row="${CSS.escape(id)}"]`);
  const control = row?.querySelector<HTMLElement>('a, button');
  control?.focus({ preventScroll: true });
  return control != null && control === document.activeElement;
}

function rowOf(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('[data-row]')?.getAttribute('data-row') ?? undefined;
}
