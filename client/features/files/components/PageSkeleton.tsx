import { Skeleton } from '../../../ui/Skeleton.tsx';

const LINES = ['w-1/2', 'w-full', 'w-11/12', 'w-full', 'w-3/4', 'w-full', 'w-5/6'];

/** A page while it loads. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" className="min-h-0 flex-1 overflow-hidden p-4 sm:p-6">
      <span className="sr-only">Loading</span>
      <div className="mx-auto grid h-full max-w-[38rem] content-start gap-3 border border-line bg-surface p-10">
        {LINES.map((width, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never move
          <Skeleton key={at} className={`h-4 ${width}`} />
        ))}
      </div>
    </div>
  );
}
