import { Skeleton } from '../../../ui/Skeleton.tsx';

const ROWS = ['first', 'second', 'third', 'fourth'];

/** A check while it loads. */
export function CheckSkeleton() {
  return (
    <div aria-hidden="true" className="@container px-4 pt-5 sm:px-9 sm:pt-7">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="mt-2 h-8 w-72" />
      <Skeleton className="mt-3 h-4 w-96 max-w-full" />
      <div className="mt-8 grid gap-x-10 gap-y-8 @min-[44rem]:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="grid content-start gap-5">
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </div>
        <div className="grid content-start gap-5">
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-16 w-full" />
          ))}
        </div>
      </div>
    </div>
  );
}
