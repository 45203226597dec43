import { OPTION_LIMIT } from './option.ts';
import { Spinner } from './Spinner.tsx';

interface OptionStatusProps {
  found: number;
  loading?: boolean;
  failure?: string | undefined;
}

/** The line under a list of options: loading, failed, no match, or more matches than are shown. */
export function OptionStatus({ found, loading = false, failure }: OptionStatusProps) {
  const words = failure ?? (loading ? 'Loading…' : wordsFor(found));
  return (
    <div role="status">
      {words !== undefined && (
        <p className="flex items-center gap-2 border-t border-line px-3 py-2 text-sm text-ink-3 first:border-0">
          {loading && failure === undefined && <Spinner />}
          {words}
        </p>
      )}
    </div>
  );
}

function wordsFor(found: number): string | undefined {
  if (found === 0) return 'No match';
  return found > OPTION_LIMIT ? `${found - OPTION_LIMIT} more: type to find them` : undefined;
}
