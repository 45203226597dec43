import { Button } from './Button.tsx';
import { nearestSearch } from './focus.ts';

interface ClearSearchProps {
  label?: string;
  onClear: () => void;
}

/** Below a search without a match. Pressed by a key, it leaves the focus in the search, as it disappears itself. */
export function ClearSearch({ label = 'Clear search', onClear }: ClearSearchProps) {
  return (
    <Button
      onClick={({ currentTarget, detail }) => {
        const search = nearestSearch(currentTarget);
        onClear();
        if (detail === 0) search?.focus();
      }}
    >
      {label}
    </Button>
  );
}
