import * as z from 'zod/mini';
import { line } from './text.ts';

/** Largest page, and the default. */
export const PAGE_SIZE_MAX = 200;
export const DEFAULT_PAGE_SIZE = 50;
/** Totals are exact up to this count. */
export const TOTAL_CAP = 10_000;

/** The rows of a page in a query, whose values are texts. */
export function limitUpTo(max: number) {
  const wrong = `Limit must be a whole number from 1 to ${max}`;
  return z.optional(
    z.pipe(
      z.string(wrong).check(z.regex(/^\d{1,3}$/, { error: wrong, abort: true })),
      z.pipe(z.transform(Number), z.number().check(z.gte(1, wrong), z.lte(max, wrong))),
    ),
  );
}

/** `limit`, `cursor` and `search` of a query; a blank search means none. */
export const pagingQuery = {
  limit: limitUpTo(PAGE_SIZE_MAX),
  cursor: z.optional(line('Cursor', { max: 500 })),
  search: z.optional(
    z.union(
      [
        z.pipe(
          z.string().check(z.regex(/^\s*$/)),
          z.transform(() => undefined),
        ),
        line('Search'),
      ],
      {
        error: 'Search must be text of at most 200 characters without control characters',
      },
    ),
  ),
};

/** Total count and the cursor of the next page. */
export const pagingReply = {
  total: z.number(),
  totalIsCapped: z.optional(z.literal(true)),
  nextCursor: z.nullable(z.string()),
};
