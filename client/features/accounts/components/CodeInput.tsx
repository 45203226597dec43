import { type ComponentProps, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { useFieldControl } from '../../../ui/Field.tsx';

const DIGITS = 6;

interface CodeInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  value: string;
  onValue: (digits: string) => void;
}

/** One input for six digits, drawn as six boxes: a telephone fills it in, and a pasted code fits. */
export function CodeInput({ value, onValue, id, ...rest }: CodeInputProps) {
  const control = useFieldControl({ id });
  const [isFocused, setIsFocused] = useState(false);
  const isInvalid = control['aria-invalid'] === true;
  return (
    <div className="relative w-fit">
      <div aria-hidden="true" className="flex gap-1.5">
        {Array.from({ length: DIGITS }, (_, index) => {
          const isNext = isFocused && index === Math.min(value.length, DIGITS - 1);
          return (
            <span
              key={index}
              className={cx(
                'grid h-10 w-9 place-items-center rounded-control border bg-surface text-[1.125rem] tabular-nums',
                isInvalid ? 'border-red' : 'border-line-strong',
                isNext && 'outline-2 outline-accent',
                index === DIGITS / 2 && 'ml-2.5',
              )}
            >
              {value[index]}
            </span>
          );
        })}
      </div>
      <input
        {...control}
        {...rest}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={(event) => onValue(event.target.value.replaceAll(/\D/g, '').slice(0, DIGITS))}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        className="absolute inset-0 w-full cursor-text opacity-0"
      />
    </div>
  );
}
