import { Button } from '../../../ui/Button.tsx';

/** Warns that the shown rows may be outdated, or that more rows failed to load. */
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
