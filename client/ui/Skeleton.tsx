import { cx } from './cx.ts';

/** The grey shape of something that is being loaded; it shows after 150 ms. Give it the final size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-late rounded-[4px] bg-line', className)}
    />
  );
}
