import { type ReactNode, useId, useMemo, createContext, useContext } from 'react';
import { cx } from './cx.ts';

interface FieldProps {
  label: string;
  /** Shown in red under the control; screen readers read it with the control. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Marked with an asterisk. */
  required?: boolean;
  /** The label ends in 'optional'. */
  optional?: boolean;
  /** Shown at the right end of the label's line, such as a link. */
  aside?: ReactNode;
  className?: string;
  /** A control of this kit, which links itself to the label and the error. */
  children: ReactNode;
}

/** A label above its control, and the error and the hint below. */
export function Field({
  label,
  error,
  hint,
  required = false,
  optional = false,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const control = useMemo<FieldControl>(
    () => ({
      id,
      'aria-describedby': cx(errorId, hintId) || undefined,
      'aria-invalid': errorId === undefined ? undefined : true,
      'aria-required': required || undefined,
    }),
    [id, errorId, hintId, required],
  );
  return (
    <div className={cx('min-w-0', className)}>
      <div className="mb-[5px] flex items-baseline justify-between gap-3">
        <label
          htmlFor={id}
          id={`${id}-label`}
          className={cx('text-sm font-medium', required && 'required-mark')}
        >
          {label}
          {optional && <span className="font-normal text-ink-3"> optional</span>}
        </label>
        {aside}
      </div>
      <FieldContext value={control}>{children}</FieldContext>
      {error !== undefined && (
        <p id={errorId} className="mt-1 text-note/[1.125rem] text-red">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-note/[1.125rem] text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Props that a field passes to its control. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

const FieldContext = createContext<FieldControl | null>(null);

/** The attributes that link a control to the label, the hint and the error of its field. */
export function useFieldControl(own: { id?: string | undefined }): FieldControl {
  const field = useContext(FieldContext);
  const ownId = useId();
  if (field !== null && own.id === undefined) return field;
  return {
    id: own.id ?? ownId,
    'aria-describedby': field?.['aria-describedby'],
    'aria-invalid': field?.['aria-invalid'],
    'aria-required': field?.['aria-required'],
  };
}

/** The box of every form control. 16 px text on touch screens keeps phones from zooming in. */
export const CONTROL_CLASS =
  'min-w-0 rounded-control border border-line-strong bg-surface px-[11px] text-ink transition-colors ' +
  'hover:border-ink-3 aria-invalid:border-red disabled:cursor-not-allowed disabled:opacity-55 ' +
  'pointer-coarse:text-heading';

/** The box of a control with a single line. */
export const CONTROL_LINE_CLASS = `${CONTROL_CLASS} h-9 pointer-coarse:h-11`;
