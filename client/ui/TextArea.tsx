import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { CONTROL_CLASS, useFieldControl } from './Field.tsx';

/** Several lines of text; accepts everything from react-hook-form's `register`. */
export function TextArea({ className, rows = 3, id, ...rest }: ComponentProps<'textarea'>) {
  const control = useFieldControl({ id });
  return (
    <textarea
      {...control}
      {...rest}
      rows={rows}
      className={cx(CONTROL_CLASS, 'block w-full resize-y py-[7px]', className)}
    />
  );
}
