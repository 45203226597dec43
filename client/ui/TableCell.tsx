import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

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
