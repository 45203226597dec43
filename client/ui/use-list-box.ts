import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { indexForKey, indexForLetters } from './list-keys.ts';
import { useRowWindow } from './use-row-window.ts';

/** Letters typed within this time belong to one word. */
const TYPEAHEAD_TIMEOUT_MS = 350;

interface ListBox {
  list: string;
  ids: readonly string[];
  /** The names that typed letters match, for each id. */
  names: readonly (readonly string[])[];
  /** The chosen id, where the keys start. */
  chosen: string | null;
  rowHeight: number;
  onChoose: (id: string) => void;
}

/**
 * A windowed list of options that itself has the focus and marks its active option: arrows, j, k, Home and
 * End move, letters jump to a name, Enter chooses. Names that start with j or k need a second letter.
 */
export function useListBox({ list, ids, names, chosen, rowHeight, onChoose }: ListBox) {
  const rows = useRef<HTMLDivElement>(null);
  const [moved, setActive] = useState<string | null>(null);
  const word = useWord();
  const wordFrom = useRef(0);
  const at = ids.indexOf(moved ?? chosen ?? '');
  const { items, height, show } = useRowWindow({ list, ids, rowHeight, rows, tabStop: at });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current && at > 0) show(at);
    isFirst.current = false;
  });

  const indexFor = (key: string, typed: string): number | undefined => {
    if (typed.length === 1) wordFrom.current = at;
    // Alone or repeated, j and k move; within a word they are letters.
    const isMove = key.length > 1 || /^[jk]+$/.test(typed);
    if (isMove) return indexForKey(key, at, ids.length);
    return typed === '' ? undefined : indexForLetters(names, typed, wordFrom.current);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const here = ids[at];
    // Within a word, a space is a letter.
    if (key === 'Enter' || (key === ' ' && !word.isStarted())) {
      event.preventDefault();
      if (here !== undefined) onChoose(here);
      return;
    }
    const index = indexFor(key, word.type(key));
    const next = index === undefined ? undefined : ids[index];
    if (index === undefined || next === undefined) return;
    event.preventDefault();
    setActive(next);
    show(index);
  };
  return { items, at, setActive, handleKeyDown, rowsProps: { ref: rows, style: { height } } };
}

function useWord() {
  const typed = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Returns the word so far; a key that is not a letter ends it. */
  const type = (key: string): string => {
    clearTimeout(timer.current);
    typed.current = key.length === 1 ? typed.current + key : '';
    timer.current = setTimeout(() => {
      typed.current = '';
    }, TYPEAHEAD_TIMEOUT_MS);
    return typed.current;
  };
  return { type, isStarted: () => typed.current !== '' };
}
