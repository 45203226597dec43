import { useSyncExternalStore } from 'react';

/** `phone` under 640 px, `narrow` under 1120 px, else `wide`. */
export type Screen = 'phone' | 'narrow' | 'wide';

const tablet = matchMedia('(min-width: 40rem)');
const desk = matchMedia('(min-width: 70rem)');

export function useScreen(): Screen {
  return useSyncExternalStore(subscribe, () =>
    desk.matches ? 'wide' : tablet.matches ? 'narrow' : 'phone',
  );
}

function subscribe(listener: () => void): () => void {
  for (const query of [tablet, desk]) query.addEventListener('change', listener);
  return () => {
    for (const query of [tablet, desk]) query.removeEventListener('change', listener);
  };
}
