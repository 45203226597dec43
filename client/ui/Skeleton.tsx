import { cx } from './cx.ts';

/** A gray placeholder of loading content, visible after 150 ms. Give it the final size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-delayed rounded-[4px] bg-line', className)}
    />
  );
}
