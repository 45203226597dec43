import type { ComponentProps } from 'react';

interface RadioGroupProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'id'> {
  legend: string;
  options: readonly { value: string; label: string }[];
  /** The chosen value, where no form is registered. */
  selected?: string;
}

/** Chooses one of a few options; accepts everything from react-hook-form's `register`. */
export function RadioGroup({ legend, options, selected, ...rest }: RadioGroupProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-[5px] text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {options.map(({ value, label }) => (
          <label key={value} className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-11">
            <input
              {...rest}
              type="radio"
              value={value}
              checked={selected === undefined ? undefined : value === selected}
              className="size-4 flex-none accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
