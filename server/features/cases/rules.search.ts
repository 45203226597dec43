import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';

/** From this share of matches on, counting from the newest case on beats the index. */
export const COMMON = 0.1;
/** Reading a match that the index found costs as much as scanning this many cases in order. */
const INDEX_COST = 2;
/** Cases of the longest scan; beyond it the index takes over. */
export const MAX_SCANNED = 50_000;
/** Matches that a count reads: above the cap by enough that a total remains above it during some changes. */
export const MAX_COUNTED = TOTAL_CAP + 1000;
/** Cases that hold so many matches of a common term. */
export const MAX_COUNT_SCAN = MAX_COUNTED / COMMON;

/** Cases that are scanned one by one where they are a small part of all. */
const [FEW, SMALL_PART] = [5000, 0.25];

/** True if scanning each case that a user sees costs less than finding these among all matches. */
export function seesFew({ seen, all }: { seen: number; all: number }): boolean {
  return seen <= FEW && seen < all * SMALL_PART;
}

/** The `place` of the last match of a first page of `limit` cases, newest first; `BEYOND` where no scan finds it. */
export type PageReach = { limit: number; place: number };
/** Knowledge of a search. */
export type SearchHistory = { cases: number; matches: number; reached?: PageReach | undefined };
type WantedPage = { limit: number; after?: string | undefined };

export const BEYOND = Number.POSITIVE_INFINITY;

/** A number of cases that should hold a page, a power of two; undefined where the index costs less. */
export function scanBudget(known: SearchHistory, page: WantedPage): number | undefined {
  const { cases, matches } = known;
  // Without a case either, the share of matches is no number.
  if (matches === 0) return undefined;
  const before = reachedBefore(known, page);
  const expected = before ?? (page.limit * cases) / matches;
  // The index reads all matches, and no number is known beyond what a count reads.
  const isCounted = before === undefined || matches < MAX_COUNTED;
  if (isCounted && expected > matches * INDEX_COST) return undefined;
  return Math.min(2 ** Math.ceil(Math.log2(expected * 1.5)), MAX_SCANNED);
}

/** True for a first page of a common term that the newest cases did not hold before. */
export function isBeyond(known: SearchHistory, page: WantedPage): boolean {
  return reachedBefore(known, page) === BEYOND && known.matches >= MAX_COUNTED;
}

/** A first page reaches as far as it did before. */
function reachedBefore(
  { reached }: SearchHistory,
  { limit, after }: WantedPage,
): number | undefined {
  return after === undefined && reached && limit <= reached.limit ? reached.place : undefined;
}
