import Check from 'lucide-react/icons/check';
import { useEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { Marked } from './Marked.tsx';
import { type Option, OPTION_LIMIT } from './option.ts';
import { Spinner } from './Spinner.tsx';

const NONE: readonly string[] = [];

interface OptionListProps {
  id: string;
  label: string;
  options: readonly Option[];
  /** Words of the search, marked in the options. */
  words?: readonly string[];
  chosenIds: readonly string[];
  activeIndex: number;
  onActive: (index: number) => void;
  onPick: (option: Option) => void;
  multiple?: boolean;
}

/** The id of an option's element, for `aria-activedescendant`. */
export function optionElementId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The options of a combobox, in which the focus stays. */
export function OptionList(props: OptionListProps) {
  const { id, label, options, chosenIds, activeIndex, onActive, onPick, multiple = false } = props;
  const { words = NONE } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable={multiple || undefined}
      className={cx(
        'max-h-60 scroll-py-1 overflow-y-auto overscroll-contain',
        options.length > 0 && 'p-1',
      )}
    >
      {options.map((option, index) => {
        const isChosen = chosenIds.includes(option.id);
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox has the focus and handles the keys
          <div
            key={option.id}
            id={optionElementId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={isChosen}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => index !== activeIndex && onActive(index)}
            onClick={() => onPick(option)}
            className={cx(
              'flex min-h-8 cursor-pointer items-center gap-2 rounded-small px-2 py-1 pointer-coarse:min-h-11',
              index === activeIndex && 'bg-hover',
            )}
          >
            <span className="min-w-0 grow">
              <span className={cx('block truncate', option.id === '' && 'text-ink-2')}>
                <Marked text={option.label} words={words} />
              </span>
              {option.note !== undefined && (
                <span className="block truncate text-xs text-ink-3 [&_mark]:text-ink">
                  <Marked text={option.note} words={words} />
                </span>
              )}
            </span>
            {isChosen && <Check className="text-accent" />}
          </div>
        );
      })}
    </div>
  );
}

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
