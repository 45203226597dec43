import type { ComponentProps, MouseEvent } from 'react';
import { cx } from './cx.ts';

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
