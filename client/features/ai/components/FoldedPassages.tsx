import type { Citation } from '@matterdesk/contract/ai.ts';
import { useId, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { Passage } from './Passage.tsx';

interface FoldedPassagesProps {
  citations: readonly Citation[];
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** Further passages, each expanded by its number. */
export function FoldedPassages({ citations, isNamed, onCitation }: FoldedPassagesProps) {
  const id = useId();
  const [open, setOpen] = useState<number | null>(null);
  const shown = citations.find(({ n }) => n === open);
  return (
    <>
      <div className="flex flex-wrap gap-1">
        {citations.map(({ n, page, file_name: name }) => (
          <button
            key={n}
            type="button"
            aria-expanded={n === open}
            aria-controls={n === open ? id : undefined}
            aria-label={isNamed ? `Passage ${n}, ${name}, p. ${page}` : `Passage ${n}, p. ${page}`}
            onClick={() => setOpen(n === open ? null : n)}
            className="flex h-7 items-center gap-1.5 rounded-small px-1 text-note text-ink-2 hover:bg-hover pointer-coarse:h-11"
          >
            <span
              className={cx(
                'grid size-[18px] place-items-center rounded-[5px] text-xs font-semibold',
                n === open ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-ink',
              )}
            >
              {n}
            </span>
            {isNamed && <bdi className="max-w-40 truncate">{name}</bdi>} p. {page}
          </button>
        ))}
      </div>
      {shown && (
        <div id={id} className="order-last mt-1 w-full rounded-pop bg-sunken px-3 py-2.5">
          <Passage citation={shown} isNamed={isNamed} onCitation={onCitation} />
        </div>
      )}
    </>
  );
}
