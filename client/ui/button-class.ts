import { cx } from './cx.ts';

export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const BASE =
  'inline-flex flex-none items-center justify-center gap-[7px] border font-medium whitespace-nowrap ' +
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
