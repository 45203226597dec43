import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

interface TableRowProps extends ComponentProps<'div'> {
  /** 60 px for two lines, 46 px for one. */
  lines?: 1 | 2;
  selected?: boolean;
}

/** A row; a link in it with the class `row-link` makes the whole of it open that. */
export function TableRow({ lines = 2, selected = false, className, ...rest }: TableRowProps) {
  return (
    <div
      role="row"
      {...rest}
      className={cx(
        'group/row relative isolate grid w-full grid-cols-(--columns) items-center gap-x-6 border-b border-line',
        'before:absolute before:-inset-x-2.5 before:-top-px before:bottom-0 before:-z-10 before:rounded-small hover:before:bg-hover',
        selected && 'before:bg-accent-soft hover:before:bg-accent-soft',
        lines === 2 ? 'h-[60px]' : 'h-[46px]',
        className,
      )}
    />
  );
}
