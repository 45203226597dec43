import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { useState } from 'react';
import { formatCount } from '../../../core/words.ts';
import { IconButton } from '../../../ui/IconButton.tsx';

interface PageControlProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** 'Page 7 of 18', with the 7 as an input. */
export function PageControl({ page, pages, onChange }: PageControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number(typed ?? '');
    setTyped(null);
    if (Number.isInteger(wanted) && wanted >= 1) onChange(Math.min(wanted, pages));
  };
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Previous page"
        icon={ChevronUp}
        variant="quiet"
        size="small"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
        className="max-sm:hidden"
      />
      <label className="flex items-center gap-1.5 text-sm text-ink-2">
        Page
        <input
          inputMode="numeric"
          value={typed ?? page}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={go}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go();
          }}
          style={{ width: `${Math.max(String(pages).length, 2) + 2}ch` }}
          className="h-7 rounded-small border border-line-strong bg-surface text-center text-ink tabular-nums pointer-coarse:h-11"
        />
      </label>
      <span className="text-sm text-ink-2 tabular-nums">of {formatCount(pages)}</span>
      <IconButton
        label="Next page"
        icon={ChevronDown}
        variant="quiet"
        size="small"
        disabled={page >= pages}
        onClick={() => onChange(page + 1)}
        className="max-sm:hidden"
      />
    </div>
  );
}
