import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';

const COUNTS: Record<ColumnId, number> = {
  intake: 2,
  demandOfInsurance: 2,
  finalLawsuit: 1,
  discovery: 2,
  adr: 1,
};

/** The shapes of cards that are being loaded. */
export function CardSkeletons({ column }: { column: ColumnId }) {
  return Array.from({ length: COUNTS[column] }, (_, index) => (
    <div
      key={index}
      className="mb-2 h-[146px] flex-none animate-delayed rounded-card border border-line bg-surface px-3 py-3"
    >
      <Skeleton className="h-3.5 w-2/3" />
      <Skeleton className="mt-2.5 h-3 w-5/6" />
      <Skeleton className="mt-5 h-3 w-3/5" />
      <Skeleton className="mt-2 h-3 w-3/5" />
      <Skeleton className="mt-2 h-3 w-1/2" />
    </div>
  ));
}
