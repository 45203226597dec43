import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { indexForKey, indexForLetters } from './list-keys.ts';
import { useRowWindow } from './use-row-window.ts';

/** Letters typed within this time belong to one word. */
const WORD_ENDS_AFTER_MS = 350;

interface ListBox {
  list: string;
  ids: readonly string[];
  /** What typed letters find, for each id. */
  names: readonly (readonly string[])[];
  /** The id that is chosen, where the keys begin. */
  chosen: string | null;
  rowHeight: number;
  onChoose: (id: string) => void;
}

/**
 * A windowed list of options that has the focus itself and names its active option: arrows, j, k, Home and
 * End move, letters jump to a name, Enter chooses. A name that begins with j or k is found by its second letter.
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
    // One after the other, j and k still move; within a word they are letters.
    const isMove = key.length > 1 || /^[jk]+$/.test(typed);
    if (isMove) return indexForKey(key, at, ids.length);
    return typed === '' ? undefined : indexForLetters(names, typed, wordFrom.current);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const here = ids[at];
    // Within a word a space is a letter.
    if (key === 'Enter' || (key === ' ' && !word.isBegun())) {
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
  /** Returns the word so far; a key that is no letter ends it. */
  const type = (key: string): string => {
    clearTimeout(timer.current);
    typed.current = key.length === 1 ? typed.current + key : '';
    timer.current = setTimeout(() => {
      typed.current = '';
    }, WORD_ENDS_AFTER_MS);
    return typed.current;
  };
  return { type, isBegun: () => typed.current !== '' };
}
