import { useCallback } from 'react';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { useAppSelector } from './store.ts';

/** Rows loaded ahead of those in view. */
const ROWS_AHEAD = 60;

interface GrowingList {
  cursor: string | null;
  status: string;
  failure: unknown;
  grow: () => void;
}

/**
 * Loads a list up to a row that comes into view.
 * @param loaded the count of its rows so far
 */
export function useInfiniteScroll(
  { cursor, status, failure, grow }: GrowingList,
  loaded: number,
  ahead = ROWS_AHEAD,
) {
  // The page stays rendered for a moment after signing out.
  const isSignedIn = useAppSelector(({ user }) => user.token !== null);
  const canGrow = isSignedIn && status === 'idle' && cursor !== null && failure === null;
  return useCallback(
    (index: number) => {
      if (canGrow && index + ahead >= loaded) grow();
    },
    [canGrow, loaded, grow, ahead],
  );
}

/** Placeholder rows of a list that is loading. */
const PLACEHOLDER_ROWS = 10;

type ListTotal = { total: number; totalIsCapped?: boolean | undefined };

/**
 * Loaded rows and those still to load, as far as the server counts them.
 * @param loaded undefined before the first page
 */
export function rowCount(
  loaded: number | undefined,
  hasMore: boolean,
  { total, totalIsCapped = false }: ListTotal = { total: 0 },
): number {
  if (loaded === undefined) return PLACEHOLDER_ROWS;
  if (!hasMore) return loaded;
  return totalIsCapped
    ? Math.max(TOTAL_CAP, loaded + PLACEHOLDER_ROWS)
    : Math.max(total, loaded + 1);
}
