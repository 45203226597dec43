import { useEffect, useRef, useState } from 'react';

/** Milliseconds of a pause in typing after which the search begins. */
const PAUSE = 120;

/** What stands in a search box: it leads the address while somebody types, and follows it otherwise. */
export function useSearchText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const told = useRef(search);
  const tell = useRef(onSearch);
  useEffect(() => {
    tell.current = onSearch;
  });
  useEffect(() => {
    if (told.current === search) return;
    told.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return undefined;
    const timer = setTimeout(
      () => {
        told.current = wanted;
        tell.current(wanted);
      },
      wanted === '' ? 0 : PAUSE,
    );
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
