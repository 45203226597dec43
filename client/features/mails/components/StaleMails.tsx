import { Button } from '../../../ui/Button.tsx';

/** Rows that are shown may be behind, or the next ones did not come. */
export function StaleMails({ failure, onRetry }: { failure: string; onRetry: () => void }) {
  return (
    <p
      role="status"
      className="flex items-center justify-between gap-3 border-b border-line bg-amber-soft py-1.5 pr-2 pl-4 text-sm text-amber"
    >
      {failure}
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
