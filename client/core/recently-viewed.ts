import { useEffect } from 'react';
import { store } from './store.ts';
import { tryStorage } from './tab-storage.ts';

/** The kind and id of a page that the user opened. Stores no name, so that none outlasts the user's access. */
export type ViewedPage = { kind: 'case' | 'contact'; id: string };

/** Signing out removes it with the kept stores. */
const KEY = 'redux-viewed';
const MAX_VIEWED = 12;

/** Recently viewed by the signed-in user in this browser, most recent first. */
export function recentlyViewed(): ViewedPage[] {
  const kept = tryStorage((): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  const { user, viewed } = (kept ?? {}) as { user?: unknown; viewed?: unknown };
  if (user !== store.getState().user.current?.id || !Array.isArray(viewed)) return [];
  return viewed.filter(isViewed);
}

/** Records the page as viewed once its data is shown. */
export function useRecordView(kind: ViewedPage['kind'], id: string): void {
  useEffect(() => {
    const others = recentlyViewed().filter((one) => one.kind !== kind || one.id !== id);
    const viewed = [{ kind, id }, ...others].slice(0, MAX_VIEWED);
    const user = store.getState().user.current?.id;
    if (user !== undefined)
      tryStorage(() => localStorage.setItem(KEY, JSON.stringify({ user, viewed })));
  }, [kind, id]);
}

function isViewed(value: unknown): value is ViewedPage {
  const { kind, id } = (value ?? {}) as Partial<ViewedPage>;
  return (kind === 'case' || kind === 'contact') && typeof id === 'string';
}
