import { Dialog } from '@base-ui/react/dialog';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Marked } from '../ui/Marked.tsx';
import { useEarlyEnter } from '../ui/use-early-enter.ts';
import { type PaletteItem, type PaletteGroup, usePaletteItems } from './palette-items.ts';

interface PaletteProps {
  /** Text that was typed while the palette loaded. */
  typed: string;
  /** The element that had focus before; null if none had. */
  opener: HTMLElement | null;
  onClose: () => void;
}

/** Finds what the user may see, and starts what the user may do; works with the keyboard alone. */
export function Palette({ typed, opener, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(typed);
  // A name, since rows that arrive later move the others.
  const [wanted, setWanted] = useState<string | null>(null);
  const { groups, words, status, isSearching } = usePaletteItems(text);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const rows = groups.flatMap((group) =>
    group.items.map((item) => ({ item, name: nameOf(group, item), isOld: group.isOld === true })),
  );
  const active = rows.findIndex(({ name }) => wanted === null || name === wanted);
  const row = rows[active];
  // Enter waits for the answer to this text: a match of an earlier one was not meant.
  const isWaiting = row?.isOld ?? isSearching;
  const go = (item: PaletteItem | undefined, isInNewTab: boolean) => {
    if (!item) return;
    if (isInNewTab && item.to !== undefined) return void window.open(item.to, '_blank', 'noopener');
    const { to, run } = item;
    // The focus returns before the next page is drawn, and that before the next key: words typed at once are for it.
    queueMicrotask(() => {
      flushSync(onClose);
      run?.();
      if (to !== undefined) queueMicrotask(() => void navigate(to, { flushSync: true }));
    });
  };
  const setEntered = useEarlyEnter<{ isInNewTab: boolean }>(isWaiting, ({ isInNewTab }) =>
    go(row?.item, isInNewTab),
  );
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isInNewTab = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && isWaiting) setEntered({ isInNewTab });
    else if (event.key === 'Enter') go(row?.item, isInNewTab);
    else if (step !== undefined && rows.length > 0)
      setWanted(rows.at((active + step) % rows.length)?.name ?? null);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 animate-appear bg-backdrop" />
        <Dialog.Popup
          initialFocus={input}
          finalFocus={() => opener ?? false}
          className="fixed inset-x-3 top-3 mx-auto flex max-h-[calc(100dvh-1.5rem)] max-w-[45rem] animate-appear flex-col overflow-hidden rounded-pop border border-line-strong bg-surface text-ink shadow-float sm:top-22 sm:max-h-[min(70dvh,calc(100dvh-8rem))]"
        >
          <Dialog.Title className="sr-only">Find anything</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4 text-ink-3">
            <Search />
            <input
              ref={input}
              type="text"
              role="combobox"
              aria-label="Find anything"
              placeholder="Matters, people, tasks, actions"
              aria-autocomplete="list"
              aria-expanded={rows.length > 0}
              aria-controls={listId}
              aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setWanted(null);
                setEntered(null);
              }}
              onKeyDown={handleKeyDown}
              className="h-12 w-full min-w-0 bg-transparent text-heading text-ink outline-none"
            />
            <Dialog.Close
              aria-label="Close"
              className="grid min-h-6 min-w-6 flex-none place-items-center rounded-small pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              <span aria-hidden="true" className="pointer-coarse:hidden">
                <Kbd>Esc</Kbd>
              </span>
              <X className="hidden pointer-coarse:block" />
            </Dialog.Close>
          </div>
          <PaletteList
            id={listId}
            groups={groups}
            words={words}
            active={active}
            onActive={(index) => setWanted(rows[index]?.name ?? null)}
            onPick={go}
          />
          <p role="status" className="px-4 py-2.5 text-sm text-ink-3 empty:hidden">
            {status}
          </p>
          <Keys />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A page and an action may have the same address. */
function nameOf({ title }: PaletteGroup, { to, label }: PaletteItem): string {
  return `${title} ${to ?? label}`;
}

/** Keyboard hints; hidden on phones. */
function Keys() {
  return (
    <p
      aria-hidden="true"
      className="flex gap-4 border-t border-line bg-paper px-4 py-2 text-note text-ink-3 max-sm:hidden pointer-coarse:hidden"
    >
      <span className="flex gap-1">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> choose
      </span>
      <span>
        <Kbd>Enter</Kbd> open
      </span>
      <span>
        <Kbd>Ctrl Enter</Kbd> in a new tab
      </span>
    </p>
  );
}

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  /** Marked in the rows. */
  words: readonly string[];
  /** The index across all groups. */
  active: number;
  onActive: (index: number) => void;
  onPick: (item: PaletteItem, isInNewTab: boolean) => void;
}

/** The palette's results by kind. The focus stays in the input. */
function PaletteList({ id, groups, words, active, onActive, onPick }: PaletteListProps) {
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
      {groups.map(({ title, items, totalInWords }, at) => (
        <div key={title} role="group" aria-label={title}>
          <p
            aria-hidden="true"
            className="flex justify-between gap-2 px-2 pt-3 pb-1 text-xs text-ink-3"
          >
            {title}
            {totalInWords !== undefined && (
              <span className="tabular-nums">{`${items.length} of ${totalInWords}`}</span>
            )}
          </p>
          {items.map((item, place) => {
            const index = countBefore(groups, at) + place;
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
              <div
                key={item.to ?? item.label}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => index !== active && onActive(index)}
                onClick={(event) => onPick(item, event.ctrlKey || event.metaKey)}
                className={cx(
                  'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-small px-2 max-sm:py-1 pointer-coarse:min-h-11',
                  index === active && 'bg-hover',
                )}
              >
                <item.icon className="text-ink-3" />
                <span className="flex min-w-0 grow max-sm:flex-col sm:items-center sm:gap-2.5">
                  <span className="truncate font-medium sm:max-w-[70%] sm:flex-none">
                    <Marked text={item.label} words={words} />
                  </span>
                  {item.note !== undefined && (
                    <span className="min-w-0 truncate text-note text-ink-3 [&_mark]:text-ink">
                      <Marked text={item.note} words={words} />
                    </span>
                  )}
                </span>
                {item.aside !== undefined && (
                  <span className="flex-none text-note text-ink-3 max-sm:hidden">{item.aside}</span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function countBefore(groups: readonly PaletteGroup[], at: number): number {
  return groups.slice(0, at).reduce((sum, { items }) => sum + items.length, 0);
}
