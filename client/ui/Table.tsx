import type { ComponentProps } from 'react';
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
