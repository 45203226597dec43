import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

interface TableProps extends ComponentProps<'div'> {
  'aria-label': string;
  /** All rows there are, with the header's, not only those in the window; -1 when nobody knows. */
  'aria-rowcount'?: number;
}

/**
 * A table whose rows may be a window over many. The columns are a grid template in a class, so that
 * they may differ by width: `[--columns:2fr_1fr] max-sm:[--columns:1fr]`.
 */
export function Table({ className, ...rest }: TableProps) {
  return <div role="table" {...rest} className={cx('relative -mx-2.5 px-2.5', className)} />;
}
