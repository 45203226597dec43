import type { Rule } from '@matterdesk/contract/court-rules.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type {
  Deadline,
  DeadlineEntry,
  DeadlineWithHistory,
} from '@matterdesk/contract/deadlines.ts';
import { formatDay } from '../../ui/days.ts';
import type { Filters, SectionQuery } from './slice.ts';
import { briefMoment, capital } from '../../core/words.ts';

/** The reader, as far as deadlines ask for them. */
export type Reader = { id: string; editsCalendar: boolean };

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

const isOpen = ({ status }: Deadline) => status === 'open';
const isUnverified = (deadline: Deadline) =>
  deadline.hard && isOpen(deadline) && deadline.verified === null;

/** The date that replaces the one in effect once another person agrees. */
export function proposedDate({ date, effectiveDate, pending }: Deadline): string | undefined {
  if (pending?.action === 'move' && pending.date !== null) return pending.date;
  return date === effectiveDate ? undefined : date;
}

/** Whether the date waits for the reader to enter it again. */
export function waitsForDate(deadline: Deadline, { id }: Reader): boolean {
  return isUnverified(deadline) && !deadline.imported && deadline.second?.id === id;
}

/** Whether the reader decides about the change that waits. */
export function waitsForDecision(deadline: Deadline, { id, editsCalendar }: Reader): boolean {
  const { pending, owner, second } = deadline;
  if (!pending || pending.by.id === id) return false;
  return editsCalendar || owner?.id === id || second?.id === id;
}

export function waitsForOwner(deadline: Deadline, { id }: Reader): boolean {
  const isSilent = deadline.imported && deadline.verified === null;
  return (
    deadline.hard &&
    isOpen(deadline) &&
    !isSilent &&
    deadline.acknowledged === null &&
    deadline.owner?.id === id
  );
}

/** Whether the reader corrects a date that no one has verified: its author, its owner or an editor of the calendar. */
export function mayCorrect(deadline: DeadlineWithHistory, { id, editsCalendar }: Reader): boolean {
  const author = deadline.history.find(({ action }) => action === 'created')?.by;
  const canEditDeadline = editsCalendar || deadline.owner?.id === id || author?.id === id;
  return isUnverified(deadline) && canEditDeadline;
}

/** '30, 14, 7' as days; what is no number stays wrong, so that the form says so. */
export function daysOfText(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
}

/** 'Pretrial, version 3' */
export function sourceOf(
  { rule, version }: NonNullable<Deadline['basis']>,
  rules: readonly Pick<Rule, 'id' | 'name'>[] = [],
): string | undefined {
  const name = rules.find(({ id }) => id === rule)?.name;
  return name === undefined ? undefined : `${name}, version ${version}`;
}

export type Standing = { words: string; tone: 'act' | 'green' | 'plain' };

/**
 * The next thing to do about a deadline, or its status if there is nothing to do.
 * @param isWaiting the server says that it waits for the reader, who may be asked to verify without being the second
 */
export function standingOf(deadline: Deadline, reader: Reader, isWaiting = false): Standing {
  const todo = [
    waitsForDate(deadline, reader) && 'verify',
    waitsForDecision(deadline, reader) && 'decide change',
    waitsForOwner(deadline, reader) && 'acknowledge',
    isOpen(deadline) && !deadline.owner && !deadline.imported && 'no owner',
    isOpen(deadline) && deadline.hard && !deadline.second && deadline.owner?.id === reader.id
      ? 'no second'
      : false,
  ].filter((one) => typeof one === 'string');
  if (todo.length > 0) return { words: capital(todo.join(', ')), tone: 'act' };
  if (deadline.status === 'done') return { words: 'Done', tone: 'green' };
  if (deadline.status === 'vacated') return { words: 'Vacated', tone: 'plain' };
  if (deadline.pending) return { words: 'Change waiting', tone: 'plain' };
  if (!deadline.hard) return { words: 'Soft', tone: 'plain' };
  if (deadline.verified) return { words: 'Verified', tone: 'green' };
  if (isWaiting) return { words: 'Verify', tone: 'act' };
  return { words: deadline.imported ? 'Imported, not verified' : 'Not verified', tone: 'plain' };
}

const NOON = 12;

/** '5:00 PM' or 'end of day'. */
export function timeInWords(time: string | null): string {
  if (time === null) return 'end of day';
  const hours = Number(time.slice(0, 2));
  return `${hours % NOON || NOON}:${time.slice(3)} ${hours < NOON ? 'AM' : 'PM'}`;
}

/** The person who entered the current date, and so cannot verify it; undefined for an imported one. */
export function datedBy({ history }: DeadlineWithHistory): Person | undefined {
  const at = history.findIndex(
    (entry) =>
      ['created', 'corrected', 'moved'].includes(entry.action) ||
      (entry.action === 'accepted' && dateOf(entry.from) !== dateOf(entry.to)) ||
      (entry.action === 'recounted' && dateOf(entry.to) !== undefined),
  );
  const entry = history[at];
  const proposing = { accepted: 'proposed', recounted: 'recountProposed' }[entry?.action ?? ''];
  if (proposing === undefined) return entry?.by ?? undefined;
  return history.slice(at).find(({ action }) => action === proposing)?.by ?? undefined;
}

function memberOf(state: unknown, name: string): unknown {
  return state !== null && typeof state === 'object'
    ? Object.entries(state).find(([member]) => member === name)?.[1]
    : undefined;
}

function dateOf(state: unknown): string | undefined {
  const date = memberOf(state, 'date');
  return typeof date === 'string' ? date : undefined;
}

/** Recipients of a notice: 'Ama Owusu, Rune Lindqvist'. */
function peopleIn(state: unknown): string {
  const people = memberOf(state, 'people');
  const names = Array.isArray(people) ? people.map((person: Person) => nameOf(person)) : [];
  return names.join(', ') || 'no one';
}

/** 'from Nov 20, 6:02 PM to Nov 23, 8:15 AM ' */
function spanIn(state: unknown): string {
  const [from, to] = [memberOf(state, 'from'), memberOf(state, 'to')];
  if (typeof from !== 'string' || typeof to !== 'string') return '';
  return `from ${briefMoment(from)} to ${briefMoment(to)} `;
}

/** A change in words: 'Nov 30, 2026', 'to complete it'. */
const verbs: Record<string, string> = {
  complete: 'to complete it',
  vacate: 'to vacate it',
  reopen: 'to reopen it',
};

const acts: Record<string, (entry: DeadlineEntry, day: string) => string> = {
  created: (_, day) => `added it: ${day}`,
  imported: (_, day) => `took it from its matter: ${day}`,
  seen: () => 'opened it',
  verified: () => 'verified the date',
  mismatched: (_, day) => `entered ${day}, which differs`,
  corrected: (_, day) => `corrected it to ${day}`,
  acknowledged: () => 'acknowledged the warning',
  proposed: ({ to }, day) => `proposed ${verbs[String(memberOf(to, 'action'))] ?? day}`,
  accepted: () => 'accepted the change',
  declined: () => 'declined the change',
  moved: (_, day) => `moved it to ${day}`,
  completed: () => 'completed it',
  vacated: () => 'vacated it',
  reopened: () => 'reopened it',
  warned: ({ to }) => `warned ${peopleIn(to)}`,
  escalated: ({ to }) => `warned ${peopleIn(to)}, since no one acknowledged it`,
  reminded: ({ to }) => `warned ${peopleIn(to)} again`,
  overdue: ({ to }) => `reported it overdue to ${peopleIn(to)}`,
  noticed: () => 'saw the notice',
  serverOff: ({ to }) => `was off ${spanIn(to)}when a warning was due`,
  recountProposed: ({ to }, day) =>
    memberOf(to, 'status') === 'vacated'
      ? 'canceled what it counts from'
      : `moved what it counts from, which gives ${day}`,
  recounted: ({ to }, day) =>
    memberOf(to, 'status') === 'vacated' ? 'vacated it' : `moved it to ${day}, with its trigger`,
  kept: () => 'kept its date',
  changed: ({ to }) =>
    `changed ${Object.keys(to ?? {})
      .map(humanize)
      .join(', ')}`,
};

/** 'Rune Lindqvist proposed Dec 14, 2026'. @param isHidden whether dates are kept from the reader */
export function entryInWords(entry: DeadlineEntry, reader: Reader, isHidden = false): string {
  const who = entry.by?.id === reader.id ? 'You' : entry.by ? nameOf(entry.by) : 'Matterdesk';
  const date = dateOf(entry.to);
  const day = isHidden ? 'a date' : formatDay(date ?? '1970-01-01');
  const act = acts[entry.action]?.(entry, day);
  const alone = memberOf(entry.to, 'withoutSecond') === true ? ', without a second person' : '';
  return `${who} ${act ?? entry.action}${alone}`;
}

/** 'owner_id' is 'owner'. */
function humanize(column: string): string {
  return column.replace(/_id$/, '').replaceAll('_', ' ');
}

const AHEAD = 30;

/** Days between the filter's, if it has any, and the section's. */
function nextDays(today: string, { from, to }: Filters) {
  const last = daysAfter(today, AHEAD);
  return { from: from > today ? from : today, to: to !== '' && to < last ? to : last };
}

/** The request query for a section. */
export function queryOf({ section, today, filters }: SectionQuery): Record<string, string> {
  const { from, to, kind } = filters;
  const days = { ...(from && { from }), ...(to && { to }) };
  const ofKind = kind ? { kind } : {};
  if (section === 'waiting') return { attention: 'mine', ...days, ...ofKind };
  if (section === 'overdue') return { attention: 'overdue', ...days, ...ofKind };
  if (section === 'limitation') return { status: 'open', ...days, kind: 'limitation' };
  return { status: 'open', ...nextDays(today, filters), ...ofKind };
}
