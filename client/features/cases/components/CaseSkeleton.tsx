import { Skeleton } from '../../../ui/Skeleton.tsx';

/** The page of a case while it loads. */
export function CaseSkeleton() {
  return (
    <div
      aria-busy="true"
      aria-label="Loading the case"
      role="status"
      className="px-4 pt-5 sm:px-9 sm:pt-7"
    >
      <Skeleton className="h-3 w-40" />
      <Skeleton className="mt-3 h-8 w-96 max-w-full" />
      <Skeleton className="mt-3 h-5 w-56" />
      <div className="mt-8 grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index}>
            <Skeleton className="h-3 w-20" />
            <Skeleton className="mt-2 h-3.5 w-32" />
          </div>
        ))}
      </div>
    </div>
  );
}
