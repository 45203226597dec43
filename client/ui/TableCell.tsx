import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

interface TableCellProps extends ComponentProps<'div'> {
  align?: 'start' | 'end';
  /** Whether what does not fit is cut; not where a focus ring would be cut with it. */
  cut?: boolean;
}

/** A cell of a row. */
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
