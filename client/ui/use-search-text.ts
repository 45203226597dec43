import { useEffect, useRef, useState } from 'react';

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
