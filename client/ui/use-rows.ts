import { useLayoutEffect, useRef } from 'react';
import { type RowFocus, useRowFocus } from './use-row-focus.ts';
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
