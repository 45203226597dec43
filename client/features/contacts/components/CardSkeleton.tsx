import { Skeleton } from '../../../ui/Skeleton.tsx';

/** A card while it loads. */
export function CardSkeleton() {
  return (
    <div aria-hidden="true" className="@container px-4 pt-5 sm:px-9 sm:pt-7">
      <Skeleton className="h-3 w-32" />
      <Skeleton className="mt-2 h-8 w-64" />
      <Skeleton className="mt-3 h-5 w-48" />
      <div className="mt-8 grid gap-x-11 gap-y-8 @min-[48rem]:grid-cols-[minmax(0,1fr)_17.5rem]">
        <div>
          {['w-3/5', 'w-2/5', 'w-1/2', 'w-2/5', 'w-3/5'].map((width, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- placeholders have no names
            <div key={index} className="flex h-12 items-center border-b border-line">
              <Skeleton className={`h-3.5 ${width}`} />
            </div>
          ))}
        </div>
        <div className="grid content-start gap-3">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-3.5 w-36" />
          <Skeleton className="h-3.5 w-44" />
          <Skeleton className="h-3.5 w-40" />
        </div>
      </div>
    </div>
  );
}
