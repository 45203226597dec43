import { cx } from './cx.ts';

/** A spinning ring. Decorative: the text next to it, or the busy control, says what is happening. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block size-3.5 flex-none animate-turn rounded-full border-2 border-current/25 border-t-current',
        className,
      )}
    />
  );
}
