import { Button } from './Button.tsx';

interface ClearSearchProps {
  label?: string;
  onClear: () => void;
}

/** Below a search without a match. Pressed by a key, it leaves the focus in the search, as it disappears itself. */
export function ClearSearch({ label = 'Clear search', onClear }: ClearSearchProps) {
  return (
    <Button
      onClick={({ currentTarget, detail }) => {
        const place = currentTarget.closest('[role=dialog], main');
        onClear();
        if (detail === 0) place?.querySelector<HTMLElement>('input[type=search]')?.focus();
      }}
    >
      {label}
    </Button>
  );
}
