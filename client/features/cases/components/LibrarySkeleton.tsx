import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** The files of a case while their chunk loads. */
export function LibrarySkeleton() {
  return (
    <section className="mt-6 border-t border-line pt-4" aria-busy="true">
      <SectionHeading>Files</SectionHeading>
      <Skeleton className="h-4 w-40" />
    </section>
  );
}
