import { useEffect } from 'react';
import { cx } from '../ui/cx.ts';
import type { Find, FindGroup } from './use-palette-finds.ts';

interface PaletteListProps {
  id: string;
  groups: readonly FindGroup[];
  /** The index across all groups. */
  active: number;
  onActive: (index: number) => void;
  onPick: (find: Find) => void;
}

/** The palette's results by kind. The focus stays in the input. */
export function PaletteList({ id, groups, active, onActive, onPick }: PaletteListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Found"
      className={cx(
        'min-h-0 scroll-py-2 overflow-y-auto overscroll-contain',
        groups.length > 0 && 'p-2 pt-0',
      )}
    >
      {groups.map(({ title, finds }, at) => (
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden="true" className="px-2 pt-3 pb-1 text-xs text-ink-3">
            {title}
          </p>
          {finds.map((find, place) => {
            const index = countBefore(groups, at) + place;
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
              <div
                key={find.to}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => index !== active && onActive(index)}
                onClick={() => onPick(find)}
                className={cx(
                  'flex h-9 cursor-pointer items-center gap-2.5 rounded-small px-2 pointer-coarse:h-11',
                  index === active && 'bg-hover',
                )}
              >
                <find.icon className="text-ink-3" />
                <span className="max-w-[70%] flex-none truncate">{find.label}</span>
                {find.note !== undefined && (
                  <span className="min-w-0 truncate text-note text-ink-3">{find.note}</span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function countBefore(groups: readonly FindGroup[], at: number): number {
  return groups.slice(0, at).reduce((sum, { finds }) => sum + finds.length, 0);
}
