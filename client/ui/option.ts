import { useState } from 'react';

/** Something to choose; `note` is a second, quieter line. */
export interface Option {
  id: string;
  label: string;
  note?: string;
}

/** How many options stand in a list at once; typing finds the others. */
export const OPTION_LIMIT = 200;

/** The options whose label or note holds the text, whatever its case. */
export function matchingOptions(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return options;
  return options.filter(({ label, note = '' }) =>
    `${label}\n${note}`.toLocaleLowerCase().includes(wanted),
  );
}

/** Which option the keyboard is at. `move` answers true when the key was one of its own. */
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
