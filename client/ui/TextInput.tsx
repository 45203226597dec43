import type { ComponentProps } from 'react';
import { CONTROL_LINE_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field-context.ts';

/** A line of text, a date, a time or a number; accepts everything from react-hook-form's `register`. */
export function TextInput({ className, type = 'text', id, ...rest }: ComponentProps<'input'>) {
  const control = useFieldControl({ id });
  return (
    <input
      {...control}
      {...rest}
      type={type}
      className={cx(CONTROL_LINE_CLASS, 'w-full', className)}
    />
  );
}
