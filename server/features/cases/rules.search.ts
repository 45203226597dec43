import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';

/** From this share of matches on, counting from the newest case on beats the index. */
export const COMMON = 0.1;
/** Reading a match that the index found costs as much as scanning this many cases in order. */
const INDEX_COST = 2;
/** Cases of the longest scan; beyond it the index takes over. */
export const LONGEST_SCAN = 50_000;
/** Matches that a count reads: above the cap by enough that a total remains above it during some changes. */
export const COUNTED_MOST = TOTAL_CAP + 1000;
/** Cases that hold so many matches of a common term. */
export const LONGEST_COUNT = COUNTED_MOST / COMMON;

/** Cases that are scanned one by one where they are a small part of all. */
const [FEW, SMALL_PART] = [5000, 0.25];

/** True if scanning each case that a user sees costs less than finding these among all matches. */
export function seesFew({ seen, all }: { seen: number; all: number }): boolean {
  return seen <= FEW && seen < all * SMALL_PART;
}

type CountedCases = { cases: number; matches: number };

/** A number of cases that should hold a page, a power of two; undefined where the index costs less. */
export function scanBudget({ cases, matches }: CountedCases, limit: number): number | undefined {
  // Without a case either, the share of matches is no number.
  if (matches === 0) return undefined;
  const expected = (limit * cases) / matches;
  if (expected > matches * INDEX_COST) return undefined;
  return Math.min(2 ** Math.ceil(Math.log2(expected * 1.5)), LONGEST_SCAN);
}
