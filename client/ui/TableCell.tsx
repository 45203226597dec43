import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

interface TableCellProps extends ComponentProps<'div'> {
  align?: 'start' | 'end';
}

/** A cell; what does not fit is cut, not wrapped. */
export function TableCell({ align = 'start', className, ...rest }: TableCellProps) {
  return (
    <div
      role="cell"
      {...rest}
      className={cx('min-w-0 truncate', align === 'end' && 'text-right tabular-nums', className)}
    />
  );
}
