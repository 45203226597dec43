import { Skeleton } from '../../../ui/Skeleton.tsx';

/** The table of users while it loads, in the same dimensions. */
export function UserTableSkeleton() {
  return (
    <div aria-hidden="true" className="pt-[34px]">
      {Array.from({ length: 10 }, (_, index) => (
        <div
          key={index}
          className="grid h-[46px] grid-cols-[1fr_1.2fr_2fr_3rem_8.5rem_7rem] items-center gap-x-6 max-sm:h-[78px] max-sm:grid-cols-1"
        >
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3.5 w-4/5 max-sm:hidden" />
          <Skeleton className="h-3.5 w-10 max-sm:hidden" />
          <Skeleton className="h-3.5 w-3/5 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
