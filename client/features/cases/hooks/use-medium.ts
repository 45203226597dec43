import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 64rem)');
const paper = matchMedia('print');

/** Paper, or a window with or without room for a column beside its tabs. */
export type Medium = 'paper' | 'narrow' | 'wide';

export function useMedium(): Medium {
  return useSyncExternalStore(subscribe, read);
}

function read(): Medium {
  if (paper.matches) return 'paper';
  return wide.matches ? 'wide' : 'narrow';
}

function subscribe(listener: () => void): () => void {
  for (const query of [wide, paper]) query.addEventListener('change', listener);
  return () => {
    for (const query of [wide, paper]) query.removeEventListener('change', listener);
  };
}
