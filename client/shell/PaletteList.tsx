import { useEffect } from 'react';
import { cx } from '../ui/cx.ts';
import { Marked } from '../ui/Marked.tsx';
import type { Find, FindGroup } from './palette-finds.ts';

interface PaletteListProps {
  id: string;
  groups: readonly FindGroup[];
  /** Marked in the rows. */
  words: readonly string[];
  /** The index across all groups. */
  active: number;
  onActive: (index: number) => void;
  onPick: (find: Find, isInNewTab: boolean) => void;
}

/** The palette's results by kind. The focus stays in the input. */
export function PaletteList({ id, groups, words, active, onActive, onPick }: PaletteListProps) {
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
      {groups.map(({ title, finds, matching }, at) => (
        <div key={title} role="group" aria-label={title}>
          <p
            aria-hidden="true"
            className="flex justify-between gap-2 px-2 pt-3 pb-1 text-xs text-ink-3"
          >
            {title}
            {matching !== undefined && (
              <span className="tabular-nums">{`${finds.length} of ${matching}`}</span>
            )}
          </p>
          {finds.map((find, place) => {
            const index = countBefore(groups, at) + place;
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
              <div
                key={find.to ?? find.label}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => index !== active && onActive(index)}
                onClick={(event) => onPick(find, event.ctrlKey || event.metaKey)}
                className={cx(
                  'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-small px-2 max-sm:py-1 pointer-coarse:min-h-11',
                  index === active && 'bg-hover',
                )}
              >
                <find.icon className="text-ink-3" />
                <span className="flex min-w-0 grow max-sm:flex-col sm:items-center sm:gap-2.5">
                  <span className="truncate font-medium sm:max-w-[70%] sm:flex-none">
                    <Marked text={find.label} words={words} />
                  </span>
                  {find.note !== undefined && (
                    <span className="min-w-0 truncate text-note text-ink-3 [&_mark]:text-ink">
                      <Marked text={find.note} words={words} />
                    </span>
                  )}
                </span>
                {find.aside !== undefined && (
                  <span className="flex-none text-note text-ink-3 max-sm:hidden">{find.aside}</span>
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
