import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { GAP_CLASS, MIDDLE_CLASS, WIDE_CLASS } from './CaseColumns.tsx';

/** A row while it loads; `offset` in pixels below the first. */
export function CaseRowSkeleton({ offset }: { offset: number }) {
  return (
    <div
      aria-hidden="true"
      style={{ transform: `translateY(${offset}px)` }}
      className={cx(
        'absolute top-0 left-0 grid h-[60px] w-full grid-cols-(--columns) items-center gap-x-6 border-b border-line',
        GAP_CLASS,
      )}
    >
      <span>
        <Skeleton className="h-3.5 w-3/5" />
        <Skeleton className="mt-2 h-3 w-2/5" />
      </span>
      <Skeleton className="h-3.5 w-4/5" />
      <span className={MIDDLE_CLASS}>
        <Skeleton className="h-3.5 w-4/5" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="ml-auto h-3.5 w-8" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="h-3.5 w-10" />
      </span>
      <span className={MIDDLE_CLASS}>
        <Skeleton className="h-3.5 w-3/4" />
      </span>
      <span className={WIDE_CLASS}>
        <Skeleton className="h-3.5 w-1/2" />
      </span>
    </div>
  );
}
