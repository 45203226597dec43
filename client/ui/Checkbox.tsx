import type { ComponentProps, ReactNode } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  /** A second, quieter line that explains the choice. */
  hint?: ReactNode;
}

/** A checkbox with its label; accepts everything from react-hook-form's `register`. */
export function Checkbox({ label, hint, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-6 items-start gap-2.5 pointer-coarse:min-h-11">
      <input {...rest} type="checkbox" className="mt-0.5 size-4 flex-none accent-accent" />
      <span>
        {label}
        {hint !== undefined && <span className="block text-note text-ink-3">{hint}</span>}
      </span>
    </label>
  );
}
