import type { LucideIcon } from 'lucide-react';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type ChipTone = 'neutral' | 'accent' | 'green' | 'amber' | 'red';

const TONES: Record<ChipTone, string> = {
  neutral: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent-ink',
  green: 'bg-green-soft text-green',
  amber: 'bg-amber-soft text-amber',
  red: 'bg-red-soft text-red',
};

interface ChipProps {
  children: ReactNode;
  tone?: ChipTone;
  icon?: LucideIcon;
  dot?: boolean;
  /** If given, the chip ends in a remove button named `removeLabel`. */
  onRemove?: () => void;
  removeLabel?: string;
}

/** A short label, such as a status or a tag. */
export function Chip({
  children,
  tone = 'neutral',
  icon: Icon,
  dot = false,
  onRemove,
  removeLabel,
}: ChipProps) {
  return (
    <span
      className={cx(
        'inline-flex h-[22px] max-w-full items-center gap-[5px] rounded-full px-2 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {dot && <span aria-hidden="true" className="size-[7px] flex-none rounded-full bg-current" />}
      {Icon !== undefined && <Icon className="size-3.5" />}
      <span className="truncate">{children}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="relative -mr-[5px] grid size-[18px] flex-none place-items-center rounded-full before:absolute before:-inset-[3px] hover:bg-hover hover:text-ink pointer-coarse:before:-inset-3"
        >
          <X className="size-3.5" />
        </button>
      )}
    </span>
  );
}
