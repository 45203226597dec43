import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TwoColumns } from './TwoColumns.tsx';

/** The steps of an import that is being read, in their size. */
export function ImportSkeleton() {
  return (
    <div className="px-4 pt-3 pb-9 sm:px-9">
      <Skeleton className="h-8 w-full max-w-[32rem]" />
      <div className="pt-2">
        <Skeleton className="h-8 w-full" />
      </div>
      <TwoColumns aside={<Rows count={6} className="h-14" />}>
        <Rows count={10} className="h-[22px]" />
      </TwoColumns>
    </div>
  );
}

function Rows({ count, className }: { count: number; className: string }) {
  return (
    <div className="space-y-4">
      {Array.from({ length: count }, (_, at) => (
        <Skeleton key={at} className={`${className} w-full`} />
      ))}
    </div>
  );
}
