import { Skeleton } from '../../../ui/Skeleton.tsx';

/** The page of a case while it loads. */
export function CaseSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading the case" role="status">
      <div className="matter-header border-b border-line">
        <div className="page-header px-4 sm:px-9">
          <Skeleton className="mt-2 h-3 w-40" />
          <Skeleton className="mt-3 h-8 w-96 max-w-full" />
          <Skeleton className="mt-3 h-5 w-56" />
          <Skeleton className="mt-4 mb-3 h-3.5 w-64" />
        </div>
      </div>
      <div className="px-4 pt-5 sm:px-9">
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} className="mt-5 h-3.5 w-2/3" />
        ))}
      </div>
    </div>
  );
}
