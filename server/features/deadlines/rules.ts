// Dates of a deadline, and who may change it.

import type { CountLine } from '@matterdesk/contract/court-rules.ts';
import {
  defaultWarnDays,
  type ChangeAction,
  type DeadlineStatus,
} from '@matterdesk/contract/deadlines.ts';
import type { Actor } from '../../core/actor.ts';
import { endOfDay, instantOf, dateInWords } from '../../core/dates.ts';
import type { DeadlineState } from '../../db/schema-deadlines.ts';

export type State = DeadlineState;
/** A date, and a time of day or null for its end. */
type Moment = { date: string; time: string | null };
type DatedDeadline = Moment & Pick<State, 'time_zone' | 'floor_date' | 'pending'>;

const END_OF_DAY = '24:00';
const NOON = 12;

/** The earliest of the date, the date that a pending change proposes, and the date before an unverified change. */
export function effectiveMoment({ date, time, floor_date: floor, pending }: DatedDeadline): Moment {
  const moments: Moment[] = [{ date, time }];
  if (floor !== null) moments.push({ date: floor, time: null });
  if (pending?.action === 'move' && pending.date !== null)
    moments.push({ date: pending.date, time: pending.time });
  return moments.reduce((first, moment) => (keyOf(moment) < keyOf(first) ? moment : first));
}

/** The date that replaces the one in effect once another person agrees. */
export function proposedDate({
  date,
  floor_date: floor,
  pending,
}: DatedDeadline): string | undefined {
  if (pending?.action === 'move' && pending.date !== null) return pending.date;
  return floor === null ? undefined : date;
}

function keyOf({ date, time }: Moment): string {
  return `${date}T${time ?? END_OF_DAY}`;
}

/** The instant when a date has passed; without a time, the end of the day in that zone. */
export function dueAt({ date, time }: Moment, zone: string): Date {
  return time === null ? endOfDay(date, zone) : instantOf(`${date}T${time}`, zone);
}

/** Columns computed from the dates. */
export function effectiveColumns(dated: DatedDeadline): Pick<State, 'effective_date' | 'due_at'> {
  const moment = effectiveMoment(dated);
  return { effective_date: moment.date, due_at: dueAt(moment, dated.time_zone) };
}

/** Describes how an entered date differs from the stored one; undefined when they match. */
export function difference(stored: Moment, entered: Moment): string | undefined {
  if (stored.date !== entered.date)
    return `The dates differ: ${dateInWords(stored.date)} and ${dateInWords(entered.date)}`;
  if (stored.time === entered.time) return undefined;
  return `The times differ: ${timeInWords(stored.time)} and ${timeInWords(entered.time)}`;
}

function timeInWords(time: string | null): string {
  if (time === null) return 'end of the day';
  const hours = Number(time.slice(0, 2));
  const minutes = time.slice(3);
  return `${hours % NOON || NOON}:${minutes} ${hours < NOON ? 'AM' : 'PM'}`;
}

/** Cleared by a new date, which no one has verified or been warned of. */
export const unconfirmedColumns = {
  verified_by: null,
  verified_at: null,
  acknowledged_by: null,
  acknowledged_at: null,
} as const;

const statuses: Record<Exclude<ChangeAction, 'move'>, DeadlineStatus> = {
  complete: 'done',
  vacate: 'vacated',
  reopen: 'open',
};

/** Columns that an accepted change sets. */
export function acceptedChange(
  change: Moment & { action: ChangeAction; by: string },
): Partial<State> {
  if (change.action !== 'move') return { status: statuses[change.action], pending: null };
  const { date, time, by } = change;
  // A hard date is verified before it moves, so no earlier date remains in effect.
  return { ...unconfirmedColumns, date, time, dated_by: by, pending: null, floor_date: null };
}

/** Columns of a deadline whose trigger moved, or was canceled: then both days are null. A pending change stays. */
export function recountedChange(
  { basis, time }: State,
  counted: {
    date: string | null;
    triggerDate: string | null;
    lines: CountLine[];
    by: string | null;
  },
): Partial<State> {
  const { date, triggerDate, lines, by } = counted;
  if (date === null || triggerDate === null) return { status: 'vacated', pending: null };
  const recounted = basis && { ...basis, trigger: { ...basis.trigger, date: triggerDate }, lines };
  return { ...unconfirmedColumns, date, time, dated_by: by, floor_date: null, basis: recounted };
}

/** Columns of a limitation whose case has a new SOL. The earlier date stays in effect until someone verifies the new one. */
export function solChange(state: State, date: string, by: string | null): Partial<State> {
  const { date: before } = effectiveMoment({ ...state, pending: null });
  const floor_date = before < date ? before : null;
  return { ...unconfirmedColumns, date, time: null, dated_by: by, floor_date, imported: false };
}

export function defaultWarnings({ kind, hard }: Pick<State, 'kind' | 'hard'>): number[] {
  if (kind === 'limitation') return [...defaultWarnDays.limitation];
  return [...(hard ? defaultWarnDays.hard : defaultWarnDays.soft)];
}

/** Distinct days, the farthest first. */
export function sortedDays(days: readonly number[]): number[] {
  return [...new Set(days)].toSorted((a, b) => b - a);
}

/** The part of a date that history keeps. */
export function momentOf({ date, time }: Moment): Moment {
  return { date, time };
}

type Editable = Pick<
  State,
  'hard' | 'owner_id' | 'second_id' | 'author_id' | 'dated_by' | 'pending'
>;
/** `isDualControl`: two people must agree. `members` are those of the request. */
type ActRequest = { isDualControl: boolean; members: readonly string[] };
type PermissionRule = (actor: Actor, row: Editable, asked: ActRequest) => boolean;

const CORRECTION = ['date', 'time', 'reason'];

/** Whether a user may act on a deadline. */
export const permits = {
  /** The author corrects the date, and nothing else. */
  change: (actor, row, { members }) =>
    canEditDeadline(actor, row) ||
    (row.author_id === actor.id && members.every((name) => CORRECTION.includes(name))),
  /** Under dual control, not the person who entered a hard date. */
  verify: (actor, row, { isDualControl }) =>
    !row.hard || !isDualControl || row.dated_by !== actor.id,
  acknowledge: (actor, row) =>
    row.owner_id === null ? canDecideDeadline(actor, row) : row.owner_id === actor.id,
  /** Anyone, where another person decides. */
  propose: (actor, row, { isDualControl }) =>
    row.hard ? isDualControl || canDecideDeadline(actor, row) : canEditDeadline(actor, row),
  /** Under dual control, not the person who proposed the change. */
  decide: (actor, row, { isDualControl }) =>
    canDecideDeadline(actor, row) && (!isDualControl || row.pending?.by !== actor.id),
} satisfies Record<string, PermissionRule>;

export type Act = keyof typeof permits;

function canEditDeadline(actor: Actor, row: Editable): boolean {
  return row.owner_id === actor.id || actor.permissions.editCalendar;
}

function canDecideDeadline(actor: Actor, row: Editable): boolean {
  return canEditDeadline(actor, row) || row.second_id === actor.id;
}
