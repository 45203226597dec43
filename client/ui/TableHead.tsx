import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

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
