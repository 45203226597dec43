import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
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

export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

// Paper shows what a page says, and not what acts on it.
const BASE =
  'print:hidden inline-flex flex-none items-center justify-center gap-[7px] border font-medium whitespace-nowrap ' +
  'transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-default pointer-coarse:min-h-11';

const VARIANTS: Record<ButtonVariant, string> = {
  default: 'border-line-strong bg-surface text-ink not-disabled:hover:bg-hover',
  primary:
    'border-accent bg-accent text-on-accent not-disabled:hover:border-accent-ink not-disabled:hover:bg-accent-ink',
  quiet: 'border-transparent text-ink-2 not-disabled:hover:bg-hover not-disabled:hover:text-ink',
  danger: 'border-red bg-red text-on-red not-disabled:hover:opacity-90',
};

const SIZES: Record<ButtonSize, { text: string; icon: string }> = {
  small: {
    text: 'h-7 rounded-small px-[9px] text-sm',
    icon: 'h-7 w-7 rounded-small pointer-coarse:min-w-11',
  },
  medium: {
    text: 'h-[34px] rounded-control px-3',
    icon: 'h-[34px] w-[34px] rounded-control pointer-coarse:min-w-11',
  },
  large: {
    text: 'h-10 rounded-control px-4',
    icon: 'h-10 w-10 rounded-control pointer-coarse:min-w-11',
  },
};

/** The look of a button, for buttons and for links styled as buttons; `iconOnly` makes it square. */
export function buttonClass({
  variant = 'default',
  size = 'medium',
  iconOnly = false,
}: {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  iconOnly?: boolean;
} = {}): string {
  return cx(BASE, VARIANTS[variant], iconOnly ? SIZES[size].icon : SIZES[size].text);
}

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
