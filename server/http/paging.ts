import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { parseJson } from '../core/json.ts';
import { invalidField } from '../core/refusal.ts';

export type PageQuery = {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
};

/** @returns undefined when the caller requests the whole list */
export function pageLimit({ limit, cursor, search }: PageQuery): number | undefined {
  if (limit !== undefined) return limit;
  return cursor !== undefined || search !== undefined ? DEFAULT_PAGE_SIZE : undefined;
}

/** Encodes the sort key of a page's last row as an opaque cursor. */
export function writeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * @param shape a pattern for each part of the key
 * @throws Refusal invalidInput for anything that `writeCursor` cannot have written for such a key
 */
export function readCursor(cursor: string, shape: RegExp[]): string[] {
  const key = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const fits =
    Array.isArray(key) &&
    key.length === shape.length &&
    key.every((part, index) => typeof part === 'string' && fitsShape(part, shape[index])) &&
    writeCursor(key as string[]) === cursor;
  if (!fits) throw invalidField('cursor', 'Invalid cursor');
  return key as string[];
}

function fitsShape(part: string, shape: RegExp | undefined): boolean {
  return shape?.test(part) === true && !(shape === INSTANT && Number.isNaN(Date.parse(part)));
}

/** In the shape of a cursor: an instant that exists. */
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const SERIAL = /^\d{1,18}$/;

/**
 * The cursor of rows that are sorted by a time and then by a serial number.
 * @throws Refusal invalidInput like `readCursor`
 */
export function readTimeCursor(cursor: string): string[] {
  return readCursor(cursor, [INSTANT, SERIAL]);
}

/** Totals are exact up to the cap; queries count up to one more. */
export function describeTotal(counted: number) {
  return counted > TOTAL_CAP
    ? { total: TOTAL_CAP, totalIsCapped: true as const }
    : { total: counted };
}

/** Cuts a page that was read with one extra row. */
export function cutPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => readonly string[]) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? writeCursor(keyOf(last)) : null };
}
