import { Button } from '../../../ui/Button.tsx';

/** Shown when rows may be out of date, or the next ones failed to load. */
export function StaleList({ failure, onRetry }: { failure: string; onRetry: () => void }) {
  return (
    <p
      role="status"
      className="my-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-amber-soft py-1.5 pr-1.5 pl-3 text-sm text-amber"
    >
      {`This list may be out of date: ${failure}`}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
