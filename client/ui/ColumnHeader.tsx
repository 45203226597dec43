import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

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
