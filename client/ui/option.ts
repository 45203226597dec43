import { useState } from 'react';
import { rankItems } from '@matterdesk/contract/ranking.ts';

/** An option of a list. */
export interface Option {
  id: string;
  label: string;
  /** A second, quieter line. */
  note?: string;
  /** Shown beside the label once it is chosen, and ranked like it. */
  number?: string;
}

/** Number of options that a list shows at once; typing finds the others. */
export const OPTION_LIMIT = 200;

/** The options whose label, number or note contains each word of the text, the best match first. */
export function matchingOptions(options: readonly Option[], text: string): readonly Option[] {
  if (text.trim() === '') return options;
  return rankItems(options, text, ({ label, number, note }) => ({
    names: number === undefined ? [label] : [label, number],
    others: note === undefined ? [] : [note],
  }));
}

/** The option that the keyboard is on. `move` returns whether it handled the key. */
export function useActiveOption(count: number) {
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, count - 1);
  const move = (key: string): boolean => {
    if (count === 0 || (key !== 'ArrowDown' && key !== 'ArrowUp')) return false;
    if (key === 'ArrowDown') setActive((active + 1) % count);
    else setActive(active > 0 ? active - 1 : count - 1);
    return true;
  };
  return { active, setActive, move };
}
