import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './IconButton.tsx';
import { TextInput } from './TextInput.tsx';

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
