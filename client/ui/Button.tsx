import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';
import { cx } from './cx.ts';
import { Spinner } from './Spinner.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: LucideIcon;
  iconAfter?: LucideIcon;
  /** A busy button keeps its width and its focus, and ignores clicks. */
  busy?: boolean;
}

/** A button with a text label; `type` defaults to `button`. */
export function Button({
  variant,
  size,
  icon: Icon,
  iconAfter: IconAfter,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  // A disabled button would lose the focus, so a busy button cancels the click, and with it the submit.
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- always a valid type, `button` by default
      type={type}
      {...(busy && { 'aria-busy': true, 'aria-disabled': true })}
      onClick={handleClick}
      className={cx(buttonClass({ variant, size }), className)}
    >
      <span className="relative">
        {busy && <Spinner className="absolute inset-0 m-auto" />}
        <span className={cx('flex items-center gap-[7px]', busy && 'opacity-0')}>
          {Icon !== undefined && <Icon />}
          {Icon === undefined ? children : <span data-label="">{children}</span>}
          {IconAfter !== undefined && <IconAfter />}
        </span>
      </span>
    </button>
  );
}
