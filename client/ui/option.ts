import { useState } from 'react';
import { searchWords } from '@matterdesk/contract/search.ts';

/** An option of a list; `note` is a second, quieter line. */
export interface Option {
  id: string;
  label: string;
  note?: string;
}

/** Number of options that a list shows at once; typing finds the others. */
export const OPTION_LIMIT = 200;

/** The options whose label or note contains each word of the text, regardless of case; the exact label first. */
export function matchingOptions(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return options;
  const words = searchWords(wanted);
  const found = options.filter(({ label, note = '' }) => {
    const text = `${label}\n${note}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isExact = ({ label }: Option) => label.toLocaleLowerCase() === wanted;
  return [...found.filter(isExact), ...found.filter((option) => !isExact(option))];
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
