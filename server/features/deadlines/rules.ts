import type { CountLine } from '@matterdesk/contract/court-rules.ts';
import {
  defaultWarnDays,
  type ChangeAction,
  type DeadlineStatus,
} from '@matterdesk/contract/deadlines.ts';
import { endOfDay, instantOf } from '../../core/clocks.ts';
import type { DeadlineState } from '../../db/schema-deadlines.ts';
import { inWords } from './counting/rules.days.ts';

export type State = DeadlineState;
/** A date, and a time of day or null for its end. */
export type Moment = { date: string; time: string | null };
type Dated = Moment & Pick<State, 'time_zone' | 'floor_date' | 'pending'>;

const END_OF_DAY = '24:00';
const NOON = 12;

function keyOf({ date, time }: Moment): string {
  return `${date}T${time ?? END_OF_DAY}`;
}

/** The earliest of the date, of the one that a waiting change proposes, and of the one before an unverified change. */
export function ruling({ date, time, floor_date: floor, pending }: Dated): Moment {
  const moments: Moment[] = [{ date, time }];
  if (floor !== null) moments.push({ date: floor, time: null });
  if (pending?.action === 'move' && pending.date !== null)
    moments.push({ date: pending.date, time: pending.time });
  return moments.reduce((first, moment) => (keyOf(moment) < keyOf(first) ? moment : first));
}

/** When a date has passed; without a time at the end of the day in that zone. */
export function dueAt({ date, time }: Moment, zone: string): Date {
  return time === null ? endOfDay(date, zone) : instantOf(`${date}T${time}`, zone);
}

/** The columns that follow from the others. */
export function derived(dated: Dated): Pick<State, 'effective_date' | 'due_at'> {
  const moment = ruling(dated);
  return { effective_date: moment.date, due_at: dueAt(moment, dated.time_zone) };
}

/** Says how an entered date differs from the stored one; undefined when it does not. */
export function difference(stored: Moment, entered: Moment): string | undefined {
  if (stored.date !== entered.date)
    return `The dates differ: ${inWords(stored.date)} and ${inWords(entered.date)}`;
  if (stored.time === entered.time) return undefined;
  return `The times differ: ${spokenTime(stored.time)} and ${spokenTime(entered.time)}`;
}

function spokenTime(time: string | null): string {
  if (time === null) return 'end of the day';
  const hours = Number(time.slice(0, 2));
  const minutes = time.slice(3);
  return `${hours % NOON || NOON}:${minutes} ${hours < NOON ? 'AM' : 'PM'}`;
}

/** What a new date clears: no one has verified it, and its warnings begin anew. */
export const undated = {
  verified_by: null,
  verified_at: null,
  acknowledged_by: null,
  acknowledged_at: null,
} as const;

const results: Record<Exclude<ChangeAction, 'move'>, DeadlineStatus> = {
  complete: 'done',
  vacate: 'vacated',
  reopen: 'open',
};

type Applied = Moment & { action: ChangeAction; by: string };

/** The columns that an accepted change sets. */
export function applied(change: Applied): Partial<State> {
  if (change.action !== 'move') return { status: results[change.action], pending: null };
  const { date, time, by } = change;
  // A hard date is verified before it moves, so that no earlier one rules any more.
  return { ...undated, date, time, dated_by: by, pending: null, floor_date: null };
}

type Counted = { triggerDate: string | null; lines: CountLine[]; by: string | null };

/** A deadline whose trigger moved, or was canceled; a change that waits still does. */
export function recounted(
  { basis, time }: State,
  { date, triggerDate, lines, by }: Counted & { date: string | null },
): Partial<State> {
  if (date === null || triggerDate === null) return { status: 'vacated', pending: null };
  const counted = basis && { ...basis, trigger: { ...basis.trigger, date: triggerDate }, lines };
  return { ...undated, date, time, dated_by: by, floor_date: null, basis: counted };
}

/** A SOL that changes on its case. The earlier date rules until someone verifies the new one. */
export function followed(state: State, date: string, by: string | null): Partial<State> {
  const { date: before } = ruling({ ...state, pending: null });
  const floor_date = before < date ? before : null;
  return { ...undated, date, time: null, dated_by: by, floor_date, imported: false };
}

export function warnDaysOf({ kind, hard }: Pick<State, 'kind' | 'hard'>): number[] {
  if (kind === 'limitation') return [...defaultWarnDays.limitation];
  return [...(hard ? defaultWarnDays.hard : defaultWarnDays.soft)];
}

/** Each once, the farthest first. */
export function sortedDays(days: readonly number[]): number[] {
  return [...new Set(days)].toSorted((a, b) => b - a);
}

/** What history keeps of a date. */
export function momentOf({ date, time }: Moment): Moment {
  return { date, time };
}
