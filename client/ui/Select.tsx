import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { CONTROL_LINE_CLASS, useFieldControl } from './Field.tsx';

interface SelectProps extends Omit<ComponentProps<'select'>, 'multiple' | 'size'> {
  /** The first option, whose value is empty; forms read it as null. */
  placeholder: string;
  options: readonly (string | { value: string; label: string })[];
}

/** The browser's own select; accepts everything from react-hook-form's `register`. */
export function Select({ placeholder, options, className, id, ...rest }: SelectProps) {
  const control = useFieldControl({ id });
  return (
    <div className={cx('relative', className)}>
      <select
        {...control}
        {...rest}
        className={cx(
          CONTROL_LINE_CLASS,
          'w-full appearance-none truncate pr-9 has-[option[value=""]:checked]:text-ink-3',
        )}
      >
        <option value="" className="bg-surface text-ink-3">
          {placeholder}
        </option>
        {options.map((option) => {
          const { value, label } =
            typeof option === 'string' ? { value: option, label: option } : option;
          return (
            <option key={value} value={value} className="bg-surface text-ink">
              {label}
            </option>
          );
        })}
      </select>
      <ChevronsUpDown className="pointer-events-none absolute inset-y-0 right-[11px] my-auto text-ink-2" />
    </div>
  );
}
