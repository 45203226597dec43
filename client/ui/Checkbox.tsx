import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  /** A second, quieter line that explains the choice. */
  hint?: ReactNode;
  /** At the end of a row of a list, which the label fills. */
  aside?: ReactNode;
}

/** A checkbox with its label; accepts everything from react-hook-form's `register`. */
export function Checkbox({ label, hint, aside, ...rest }: CheckboxProps) {
  const isRow = aside !== undefined;
  return (
    <label
      className={cx(
        'flex gap-2.5 pointer-coarse:min-h-11',
        isRow ? 'min-h-9 items-center' : 'min-h-6 items-start',
      )}
    >
      <input
        {...rest}
        type="checkbox"
        className={cx('size-4 flex-none accent-accent', !isRow && 'mt-0.5')}
      />
      <span className={cx(isRow && 'min-w-0 flex-1')}>
        {label}
        {hint !== undefined && <span className="block text-note text-ink-3">{hint}</span>}
      </span>
      {aside}
    </label>
  );
}
