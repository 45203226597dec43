import type { Counted } from '@matterdesk/contract/court-rules.ts';
import type { Counting } from '../../../db/schema-deadlines.ts';
import { countDate, type Court } from '../counting/rules.ts';

/** An open deadline that counts from something. */
export type Dependent = {
  id: string;
  date: string;
  counting: Counting;
  trigger_deadline_id: string | null;
  trigger_title: string;
  /** The present day of its trigger; null when that was canceled. */
  trigger_date: string | null;
  /** Whether an earlier proposal to move it is still open. */
  is_proposed: boolean;
};
/** Where a dependent would move; `to` is null when its trigger was canceled. */
export type Recounted = Pick<Counted, 'lines'> & { to: string | null; triggerDate: string | null };
type Found = Recounted | undefined;

/** Counts a step from the day of its trigger. */
export function countStep(
  court: Court,
  { counting, date, title }: { counting: Counting; date: string; title: string },
): Counted {
  const { authority, jurisdiction: _, ...span } = counting;
  return countDate(court, { ...span, date }, { trigger: title, authority });
}

/**
 * New dates of deadlines whose trigger moved, and of those that count from them in turn.
 * @param roots ids of those whose own trigger or court calendar changed
 * @returns those that would move, by id
 */
export function recount(
  rows: readonly Dependent[],
  { roots, courts }: { roots: ReadonlySet<string>; courts: ReadonlyMap<string, Court> },
): Map<string, Recounted> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<string, Found>();
  const find = (row: Dependent): Found => {
    if (!found.has(row.id)) found.set(row.id, recountOne(row));
    return found.get(row.id);
  };
  const recountOne = (row: Dependent): Found => {
    const above = byId.get(row.trigger_deadline_id ?? '');
    const moved = above && find(above);
    const court = courts.get(row.counting.jurisdiction);
    if (!court || (!moved && !roots.has(row.id) && !row.is_proposed)) return undefined;
    const date = moved ? moved.to : row.trigger_date;
    if (date === null) return { to: null, triggerDate: null, lines: [] };
    const title = row.trigger_title;
    const counted = countStep(court, { counting: row.counting, date, title });
    if (counted.date === row.date) return undefined;
    return { to: counted.date, triggerDate: date, lines: counted.lines };
  };
  const all = rows.map((row) => [row.id, find(row)] as const);
  return new Map(all.filter((entry): entry is [string, Recounted] => entry[1] !== undefined));
}
