import { Skeleton } from '../../../ui/Skeleton.tsx';

/** Days in their final geometry, while they load. */
export function AgendaSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the calendar"
      className="grid max-w-4xl animate-delayed gap-6 px-4 pt-4 sm:px-9"
    >
      {[1, 2, 3].map((day) => (
        <div key={day} className="grid gap-3">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
        </div>
      ))}
    </div>
  );
}
