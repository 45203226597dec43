// Components of the overview: deadlines, timeline, tasks.

import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** The overview while it loads, in the same dimensions. */
export function DashboardSkeleton() {
  return (
    <>
      <div aria-hidden="true">
        <SectionHeading>Statutes of limitations, next 90 days</SectionHeading>
        <div className="h-[7.25rem] pt-[5.125rem] max-sm:h-[276px]">
          <Skeleton className="h-0.5" />
        </div>
        <hr className="my-5 border-line" />
        <SectionHeading>My tasks</SectionHeading>
        {Array.from({ length: 5 }, (_, index) => (
          <div key={index} className="flex h-[46px] items-center justify-between">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3.5 w-16" />
          </div>
        ))}
      </div>
      <div aria-hidden="true">
        <SectionHeading>Recently opened</SectionHeading>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex h-[55px] flex-col justify-center gap-2">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3 w-28" />
          </div>
        ))}
      </div>
    </>
  );
}
