import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type ComponentProps, type KeyboardEvent, useRef, useEffect, useState } from 'react';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { CONTROL_LINE_CLASS } from './Field.tsx';

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'value'> {
  value: string;
  /** Called on each keystroke; debounce before asking the server. */
  onChange: (text: string) => void;
}

/** A search field with a clear button; Escape clears it as well. */
export function SearchInput({
  value,
  onChange,
  placeholder = 'Search here',
  className,
  onKeyDown,
  ...rest
}: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const handleClear = () => {
    onChange('');
    input.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    if (event.key !== 'Escape' || value === '') return;
    event.stopPropagation();
    handleClear();
  };
  return (
    <div className={cx('relative', className)}>
      <Search className="pointer-events-none absolute inset-y-0 left-[11px] my-auto text-ink-3" />
      <input
        aria-label={placeholder}
        {...rest}
        ref={input}
        type="search"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKeyDown}
        className={cx(
          CONTROL_LINE_CLASS,
          'w-full pr-9 pl-[35px] [&::-webkit-search-cancel-button]:hidden',
        )}
      />
      {value !== '' && (
        <IconButton
          label="Clear search"
          icon={X}
          variant="quiet"
          size="small"
          className="absolute inset-y-0 right-1 my-auto"
          onClick={handleClear}
        />
      )}
    </div>
  );
}

/** Milliseconds without typing after which the search starts. */
const SEARCH_DELAY_MS = 120;

/** The text of a search box: it updates the URL while the user types, and follows it otherwise. */
export function useSearchText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const reported = useRef(search);
  const report = useRef(onSearch);
  useEffect(() => {
    report.current = onSearch;
  });
  useEffect(() => {
    if (reported.current === search) return;
    reported.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === reported.current) return undefined;
    const timer = setTimeout(
      () => {
        reported.current = wanted;
        report.current(wanted);
      },
      wanted === '' ? 0 : SEARCH_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
