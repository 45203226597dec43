import { Button } from '../../../ui/Button.tsx';

/** A line over a board that may be out of date, until it has been fetched again. */
export function StaleNotice({ isStale, onRetry }: { isStale: boolean; onRetry: () => void }) {
  return (
    <div role="status" className="px-4 sm:px-9">
      {isStale && (
        <p className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-amber-soft py-1.5 pr-1.5 pl-3 text-sm text-amber">
          This board may be out of date: the server isn’t responding.
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
