import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';
import { cx } from './cx.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name; wrap the button in a Tooltip to show it as well. */
  label: string;
  icon: LucideIcon;
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** A square button with only an icon. */
export function IconButton({
  label,
  icon: Icon,
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- always a valid type, `button` by default
      type={type}
      aria-label={label}
      className={cx(buttonClass({ variant, size, iconOnly: true }), className)}
    >
      <Icon />
    </button>
  );
}
