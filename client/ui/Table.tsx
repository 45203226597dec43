import type { ComponentProps, MouseEvent } from 'react';
import { cx } from './cx.ts';

interface TableProps extends ComponentProps<'div'> {
  'aria-label': string;
  /** The total of rows including the header, rendered or not; -1 when unknown. */
  'aria-rowcount'?: number;
}

/**
 * A table that may render only a window of its rows. The columns are a grid template in a class, so
 * that they can change with the width: `[--columns:2fr_1fr] max-sm:[--columns:1fr]`.
 */
export function Table({ className, ...rest }: TableProps) {
  return <div role="table" {...rest} className={cx('relative -mx-2.5 px-2.5', className)} />;
}

/** The row of column names, which stays in view while the rows scroll under it. */
export function TableHead({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      {...rest}
      className={cx(
        'sticky top-0 z-10 grid grid-cols-(--columns) gap-x-6 border-b border-line bg-paper',
        className,
      )}
    />
  );
}

interface TableRowProps extends ComponentProps<'div'> {
  /** 60 px for two lines, 46 px for one. */
  lines?: 1 | 2;
  selected?: boolean;
}

/**
 * A row. If it contains a link with the class `row-link`, a click anywhere on the row follows that link,
 * which itself takes the keyboard focus. Other links and buttons in the row keep their own clicks.
 */
export function TableRow({ lines = 2, selected = false, className, ...rest }: TableRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the link in the row has the focus and handles the keys
    <div
      role="row"
      onClick={followRowLink}
      {...rest}
      className={cx(
        'group/row relative isolate grid w-full grid-cols-(--columns) items-center gap-x-6 border-b border-line',
        'before:absolute before:-inset-x-2.5 before:-top-px before:bottom-0 before:-z-10 before:rounded-small',
        'has-[.row-link]:cursor-pointer has-[.row-link:focus-visible]:before:outline-2 has-[.row-link:focus-visible]:before:-outline-offset-2 has-[.row-link:focus-visible]:before:outline-accent',
        selected ? 'before:bg-accent-soft' : 'has-[.row-link]:hover:before:bg-hover',
        lines === 2 ? 'h-[60px]' : 'h-[46px]',
        className,
      )}
    />
  );
}

function followRowLink(event: MouseEvent<HTMLElement>): void {
  const isOwn = event.target instanceof Element && event.target.closest('a, button, input, label');
  const isSelecting = getSelection()?.isCollapsed === false;
  if (isOwn !== null || isSelecting) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const click = new globalThis.MouseEvent('click', {
    bubbles: true,
    cancelable: true,
    ctrlKey,
    metaKey,
    shiftKey,
  });
  event.currentTarget.querySelector('.row-link')?.dispatchEvent(click);
}

interface TableCellProps extends ComponentProps<'div'> {
  align?: 'start' | 'end';
  /** Whether overflow is truncated; turn it off where that would cut off a focus ring. */
  cut?: boolean;
}

export function TableCell({ align = 'start', cut = true, className, ...rest }: TableCellProps) {
  return (
    <div
      role="cell"
      {...rest}
      className={cx(
        'min-w-0',
        cut && 'truncate',
        align === 'end' && 'text-right tabular-nums',
        className,
      )}
    />
  );
}

interface ColumnHeaderProps extends ComponentProps<'div'> {
  align?: 'start' | 'end';
}

/** The name of a column. A column without a visible name still has one, as `sr-only`. */
export function ColumnHeader({ align = 'start', className, ...rest }: ColumnHeaderProps) {
  return (
    <div
      role="columnheader"
      {...rest}
      className={cx(
        'truncate pt-2.5 pb-2 text-xs font-medium text-ink-3',
        align === 'end' && 'text-right',
        className,
      )}
    />
  );
}
