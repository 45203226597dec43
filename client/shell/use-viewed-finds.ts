import { useState } from 'react';
import { keyOf } from '../core/entries.ts';
import { useAppSelector } from '../core/store.ts';
import { viewedLately } from '../core/viewed.ts';
import { overviewOf } from '../features/dashboard/slice.ts';
import { type Find, toBriefFind, toContactFind } from './palette-finds.ts';

const MOST = 6;

/**
 * Recently viewed items, most recent first, then the newest matters. Names come from the store, which drops a matter
 * that the user no longer sees.
 */
export function useViewedFinds(): { title: string; finds: Find[] } {
  const [viewed] = useState(viewedLately);
  const cases = useAppSelector((state) => state.cases.entities);
  const cards = useAppSelector((state) => state.contacts.cards);
  const newest = useAppSelector((state) => overviewOf(state.overview)?.recentCases);
  const finds = viewed
    .map(({ kind, id }) => {
      if (kind === 'case') return cases[id] && toBriefFind(cases[id]);
      const card = cards[keyOf(id)]?.data;
      return card && toContactFind(card.contact);
    })
    .filter((find) => find !== undefined && find !== null);
  if (finds.length > 0) return { title: 'Viewed lately', finds: finds.slice(0, MOST) };
  return { title: 'Newest matters', finds: (newest ?? []).map(toBriefFind) };
}
