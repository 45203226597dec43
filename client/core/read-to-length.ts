import type { FetchContext } from './resource.ts';

/** A stale list is fetched again to the same length, up to this many rows. */
const MAX_REFETCHED_ROWS = 1000;

type PageOf<Rows extends string> = Record<Rows, readonly unknown[]> & { nextCursor: string | null };

/**
 * The next page of a list, or as many rows from its start as are shown.
 * @param rows the name of the rows' member
 * @param readPage reads the page after a cursor
 */
export async function readToLength<Rows extends string, Page extends PageOf<Rows>>(
  rows: Rows,
  { cursor, rows: shown }: FetchContext,
  readPage: (cursor: string | undefined) => Promise<Page>,
): Promise<Page> {
  const wanted = cursor === undefined ? Math.min(shown, MAX_REFETCHED_ROWS) : 0;
  const all: unknown[] = [];
  let page: Page;
  let after = cursor;
  do {
    page = await readPage(after);
    all.push(...page[rows]);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined && all.length < wanted);
  return { ...page, [rows]: all };
}
