import { Skeleton } from './Skeleton.tsx';

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
