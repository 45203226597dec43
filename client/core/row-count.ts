import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';

/** Placeholder rows of a list that is loading. */
const PLACEHOLDER_ROWS = 10;

type Counted = { total: number; totalIsCapped?: boolean | undefined };

/**
 * Loaded rows and those still to load, as far as the server counts them.
 * @param loaded undefined before the first page
 */
export function rowCount(
  loaded: number | undefined,
  hasMore: boolean,
  { total, totalIsCapped = false }: Counted = { total: 0 },
): number {
  if (loaded === undefined) return PLACEHOLDER_ROWS;
  if (!hasMore) return loaded;
  return totalIsCapped ? Math.max(TOTAL_CAP, loaded + PLACEHOLDER_ROWS) : Math.max(total, loaded + 1);
}
