import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { CONTROL_LINE_CLASS, useFieldControl } from './Field.tsx';

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

/** A password field with a button that shows the characters. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className="pr-10 pointer-coarse:pr-12"
      />
      <IconButton
        label={isShown ? 'Hide characters' : 'Show characters'}
        icon={isShown ? EyeOff : Eye}
        variant="quiet"
        size="small"
        className="absolute inset-y-0 right-1 my-auto"
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  );
}
