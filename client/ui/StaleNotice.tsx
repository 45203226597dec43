import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';

interface StaleNoticeProps {
  /** Why the rows may be out of date, or why no more were loaded. */
  children: ReactNode;
  onRetry: () => void;
  /** Its shape: a card by default. */
  className?: string;
}

/** A line beside rows that could not be fetched again. */
export function StaleNotice({ children, onRetry, className = 'rounded-card' }: StaleNoticeProps) {
  return (
    <p
      role="status"
      className={cx(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-amber-soft py-1.5 pr-1.5 pl-3 text-sm text-amber',
        className,
      )}
    >
      {children}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
