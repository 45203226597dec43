// The schedule and the audience of a deadline's warnings.

import { addDays, daysBetween, morningOf, nowAt, type FirmClock } from '../../../core/dates.ts';
import { HOUR_MS } from '../../../core/durations.ts';

/** Warnings of a deadline so far. */
export type Progress = {
  /** The date and owner that the other columns refer to. */
  about: string;
  warned_days: number | null;
  warned_at: Date | null;
  /** 0 the owner, 1 the second, 2 all who edit the calendar. */
  step: number;
  repeated_on: string | null;
};

export type WarnedDeadline = {
  date: string;
  dueAt: Date;
  isOpen: boolean;
  hard: boolean;
  /** Imported and unverified: warns only its owner. */
  isSilent: boolean;
  warnDays: readonly number[];
  isAcknowledged: boolean;
  owner: string | null;
  hasOwner: boolean;
  hasSecond: boolean;
};

type Audience = 'owner' | 'second' | 'editors';
export type Act = {
  action: 'warned' | 'escalated' | 'reminded' | 'overdue';
  /** The instant at which it was due. */
  at: Date;
  days: number;
  to: Audience[];
  /** Distinguishes it from the others of its action. */
  key: string;
};
export type Outcome = { act: Act | undefined; progress: Progress; lookAt: Date | null };

const NEAR_DAYS = 7;
const EVERYONE: Audience[] = ['owner', 'second', 'editors'];

/** Milliseconds that the owner, and then the second, has to acknowledge a warning; fewer when few days are left. */
function timeToAcknowledge(daysLeft: number): number {
  if (daysLeft > NEAR_DAYS) return 24 * HOUR_MS;
  return daysLeft > 0 ? 4 * HOUR_MS : HOUR_MS;
}

function aboutOf({ date, dueAt, owner }: WarnedDeadline): string {
  return `${date} ${dueAt.toISOString()} ${owner ?? ''}`;
}

type Moment = { now: Date; firm: FirmClock };

/** Decides what to do about a deadline now, and when to check it again. */
export function decide(warned: WarnedDeadline, before: Progress, { now, firm }: Moment): Outcome {
  const about = aboutOf(warned);
  const progress = before.about === about ? before : freshProgress(about);
  if (!warned.isOpen) return { act: undefined, progress, lookAt: null };
  const clock = clockOf(now, firm);
  if (warned.dueAt <= now) return decideOverdue(warned, progress, clock);
  return (
    warn(warned, progress, clock) ??
    escalate(warned, progress, clock) ?? {
      act: undefined,
      progress,
      lookAt: nextCheckAt(warned, progress, clock),
    }
  );
}

function freshProgress(about: string): Progress {
  return { about, warned_days: null, warned_at: null, step: 0, repeated_on: null };
}

type Clock = Moment & {
  today: string;
  /** The day and instant of the last morning. */
  morningDay: string;
  morning: Date;
  next: Date;
};

function clockOf(now: Date, firm: FirmClock): Clock {
  const { day: today } = nowAt(now, firm.timeZone);
  const isOver = morningOf(today, firm) <= now;
  const morningDay = isOver ? today : addDays(today, -1);
  const morning = morningOf(morningDay, firm);
  return { now, firm, today, morningDay, morning, next: morningOf(addDays(morningDay, 1), firm) };
}

function decideOverdue(warned: WarnedDeadline, progress: Progress, clock: Clock): Outcome {
  if (warned.isSilent) return { act: undefined, progress, lookAt: null };
  const { morning, morningDay } = clock;
  const isRaised = (progress.repeated_on ?? '') >= morningDay || morning < warned.dueAt;
  if (isRaised) return { act: undefined, progress, lookAt: clock.next };
  const to: Audience[] = warned.hard ? EVERYONE : reachable(warned, ['owner']);
  const days = daysBetween(clock.today, warned.date);
  const act: Act = { action: 'overdue', at: morning, days, to, key: morningDay };
  return { act, progress: { ...progress, repeated_on: morningDay }, lookAt: clock.next };
}

/** The audience; without an active owner, the others at once. */
function reachable({ hasOwner, isSilent }: WarnedDeadline, to: Audience[]): Audience[] {
  return hasOwner || isSilent ? to : ['second', 'editors'];
}

/** Warns of the nearest threshold that has passed. */
function warn(warned: WarnedDeadline, progress: Progress, clock: Clock): Outcome | undefined {
  const passed = warned.warnDays.filter((days) => thresholdOf(warned, days, clock) <= clock.now);
  const nearest = Math.min(...passed);
  if (passed.length === 0 || nearest >= (progress.warned_days ?? Infinity)) return undefined;
  const act: Act = {
    action: 'warned',
    at: thresholdOf(warned, nearest, clock),
    days: daysBetween(clock.today, warned.date),
    to: reachable(warned, ['owner']),
    key: `${warned.date} ${nearest}`,
  };
  const after: Progress = {
    ...progress,
    warned_days: nearest,
    warned_at: clock.now,
    step: warned.hasOwner ? 0 : 2,
    repeated_on: clock.morningDay,
  };
  // Each warning of a hard deadline waits for its own acknowledgment.
  return {
    act,
    progress: after,
    lookAt: nextCheckAt({ ...warned, isAcknowledged: false }, after, clock),
  };
}

function thresholdOf({ date }: WarnedDeadline, days: number, { firm }: Clock): Date {
  return morningOf(addDays(date, -days), firm);
}

/** Escalates to the second, then to all calendar editors, then to everyone each morning. */
function escalate(warned: WarnedDeadline, progress: Progress, clock: Clock): Outcome | undefined {
  const at = escalatesAt(warned, progress, clock);
  if (!at || at > clock.now) return undefined;
  const days = daysBetween(clock.today, warned.date);
  const isLast = progress.step === 2;
  const step = isLast || (progress.step === 0 && warned.hasSecond) ? progress.step + 1 : 2;
  const to: Audience[] = step === 1 ? ['second'] : ['editors'];
  const repeated = { ...progress, repeated_on: clock.morningDay };
  const raised = { ...repeated, step, warned_at: clock.now };
  const after = isLast ? repeated : raised;
  const act: Act = isLast
    ? { action: 'reminded', at, days, to: EVERYONE, key: clock.morningDay }
    : { action: 'escalated', at, days, to, key: `${warned.date} ${progress.warned_days} ${step}` };
  return { act, progress: after, lookAt: nextCheckAt(warned, after, clock) };
}

/** The instant at which an unacknowledged warning escalates, or repeats. */
function escalatesAt(warned: WarnedDeadline, progress: Progress, clock: Clock): Date | undefined {
  const { warned_at: since, step, repeated_on: repeatedOn } = progress;
  if (!warned.hard || warned.isSilent || warned.isAcknowledged || !since) return undefined;
  if (step === 2) return (repeatedOn ?? '') < clock.morningDay ? clock.morning : clock.next;
  return new Date(since.getTime() + timeToAcknowledge(daysBetween(clock.today, warned.date)));
}

function nextCheckAt(warned: WarnedDeadline, progress: Progress, clock: Clock): Date {
  const thresholds = warned.warnDays.map((days) => thresholdOf(warned, days, clock));
  const coming = [...thresholds, warned.dueAt, escalatesAt(warned, progress, clock)];
  // The time shrinks as days pass.
  const midnight = morningOf(addDays(clock.today, 1), { ...clock.firm, morning: '00:00' });
  if (escalatesAt(warned, progress, clock)) coming.push(midnight);
  return new Date(Math.min(...coming.flatMap((at) => (at && at > clock.now ? [+at] : []))));
}

/** `is due in 3 days` */
export function dueInWords(days: number): string {
  if (days === 0) return 'is due today';
  if (days === 1) return 'is due tomorrow';
  return `is due in ${days} days`;
}
