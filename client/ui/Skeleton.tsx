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

/** Placeholders of rows that are loading. @param className the height of one */
export function SkeletonRows({ count, className }: { count: number; className: string }) {
  return (
    <div className="space-y-4">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={`${className} w-full`} />
      ))}
    </div>
  );
}
