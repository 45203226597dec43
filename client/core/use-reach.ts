import { useCallback } from 'react';
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
