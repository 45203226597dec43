import type { ComponentProps } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field-context.ts';

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
