import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import X from 'lucide-react/icons/x';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import type { useFind } from './use-find.ts';

interface FindBarProps {
  find: ReturnType<typeof useFind>;
  onClose: () => void;
}

/** Searches the document; Enter goes to the next match, Shift+Enter to the previous. */
export function FindBar({ find: { words, type, hit, state, step }, onClose }: FindBarProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its input
    <div
      role="search"
      onKeyDown={handleKeyDown}
      className="flex flex-none items-center gap-1 border-b border-line bg-paper px-4 py-1.5"
    >
      <SearchInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user to type
        autoFocus
        value={words}
        onChange={type}
        placeholder="Find in the document"
        className="max-w-72 flex-1"
      />
      <IconButton
        label="Previous match"
        icon={ChevronUp}
        variant="quiet"
        size="small"
        disabled={words.trim() === ''}
        onClick={() => void step(-1)}
      />
      <IconButton
        label="Next match"
        icon={ChevronDown}
        variant="quiet"
        size="small"
        disabled={words.trim() === ''}
        onClick={() => void step(1)}
      />
      <p role="status" className="min-w-0 flex-1 truncate text-sm text-ink-2 tabular-nums">
        {state === 'busy' && 'Looking…'}
        {state === 'missing' && 'No match'}
        {state === 'idle' && hit && `Page ${hit.page.toLocaleString()}`}
      </p>
      <IconButton label="Close search" icon={X} variant="quiet" size="small" onClick={onClose} />
    </div>
  );
}
