import type { Person } from '@matterdesk/contract/cases.ts';
import type { Rule } from '@matterdesk/contract/court-rules.ts';
import type {
  Deadline,
  DeadlineEntry,
  DeadlineWithHistory,
} from '@matterdesk/contract/deadlines.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { fullName } from '../../core/full-name.ts';
import { briefMoment } from '../../core/words.ts';
import { formatDay, addDays, daysBetween } from '../../ui/days.ts';
import type { Filters, SectionQuery } from './slice.ts';

/** Days before a deadline from which it is marked. */
export const SOON_DAYS = 14;

/** The reader, as far as deadlines ask for them. */
export type Reader = {
  id: string;
  editsCalendar: boolean;
  /** No second person exists in the firm. */
  isAlone?: boolean;
};

const isOpen = ({ status }: Deadline) => status === 'open';
const isUnverified = (deadline: Deadline) =>
  deadline.hard && isOpen(deadline) && deadline.verified === null;

/** The date that replaces the one in effect once another person agrees. */
export function proposedDate({ date, effectiveDate, pending }: Deadline): string | undefined {
  if (pending?.action === 'move' && pending.date !== null) return pending.date;
  return date === effectiveDate ? undefined : date;
}

/** Whether the date waits for the reader, who did not enter it, to enter it again. */
export function waitsForDate(deadline: Deadline, { id }: Reader): boolean {
  const { imported, second, enteredBy } = deadline;
  return isUnverified(deadline) && !imported && second?.id === id && enteredBy !== id;
}

/** Whether the reader decides about the change that waits. */
export function waitsForDecision(deadline: Deadline, { id, editsCalendar }: Reader): boolean {
  const { pending, owner, second } = deadline;
  if (!pending || pending.by.id === id) return false;
  return editsCalendar || owner?.id === id || second?.id === id;
}

function waitsForOwner(deadline: Deadline, { id }: Reader): boolean {
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

/** '30, 14, 7' as days; anything else stays invalid, so that the form reports it. */
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

/** The state of a deadline in a word; what to do about it is its act. */
export type StatusLabel = { words: string; tone: 'amber' | 'green' | 'plain' };

/** @param isHidden whether dates are kept from the reader */
export function statusLabelOf(deadline: Deadline, isHidden = false): StatusLabel {
  if (deadline.status === 'done') return { words: 'Done', tone: 'green' };
  if (deadline.status === 'vacated') return { words: 'Vacated', tone: 'plain' };
  const proposed = proposedDate(deadline);
  if (proposed !== undefined && !isHidden)
    return { words: `Proposed ${formatDay(proposed)}`, tone: 'amber' };
  if (deadline.pending) return { words: 'Change waiting', tone: 'amber' };
  if (!deadline.owner && !deadline.imported) return { words: 'No owner', tone: 'plain' };
  if (!deadline.hard) return { words: 'Soft', tone: 'plain' };
  if (!deadline.second && !deadline.imported) return { words: 'No second', tone: 'plain' };
  if (deadline.verified) return { words: 'Verified', tone: 'green' };
  return { words: deadline.imported ? 'Imported, not verified' : 'Not verified', tone: 'plain' };
}

export type ActName =
  | 'verify'
  | 'decide'
  | 'acknowledge'
  | 'assign'
  | 'complete'
  | 'reopen'
  | 'open';
/** The next act about a deadline. @property isWaiting whether it waits for the reader */
export type Act = { name: ActName; words: string; isWaiting: boolean };

/**
 * The one act that fits a deadline's state; undefined if there is none for the reader.
 * @param isWaiting the server says that it waits for the reader, who may be asked to verify without being the second
 */
export function actOf(deadline: Deadline, reader: Reader, isWaiting = false): Act | undefined {
  const waits = (name: ActName, words: string): Act => ({ name, words, isWaiting: true });
  const may = (name: ActName, words: string): Act => ({ name, words, isWaiting: false });
  const edits = deadline.owner?.id === reader.id || reader.editsCalendar;
  if (!isOpen(deadline)) return edits ? may('reopen', 'Reopen') : undefined;
  if (waitsForDate(deadline, reader)) return waits('verify', 'Verify date');
  if (waitsForDecision(deadline, reader)) return waits('decide', 'Decide change');
  if (waitsForOwner(deadline, reader)) return waits('acknowledge', 'Acknowledge');
  if (!deadline.owner && edits && !deadline.imported) return waits('assign', 'Assign owner');
  if (deadline.hard && !deadline.second && edits && !deadline.imported && !reader.isAlone)
    return waits('assign', 'Assign second');
  if (isWaiting && isUnverified(deadline)) return waits('verify', 'Verify date');
  if (deadline.pending) return undefined;
  if (deadline.kind === 'limitation') return may('open', 'Open matter');
  return deadline.hard || edits ? may('complete', 'Mark as met') : undefined;
}

/** 'Mon, Nov 23', with the year where it is not this year. */
export function dayInWords(day: string, today: string): string {
  return formatDay(day, day.slice(0, 4) === today.slice(0, 4) ? 'weekday' : 'list');
}

const NOON = 12;

/** '5:00 PM' or 'end of day'. */
export function timeInWords(time: string | null): string {
  if (time === null) return 'end of day';
  const hours = Number(time.slice(0, 2));
  return `${hours % NOON || NOON}:${time.slice(3)} ${hours < NOON ? 'AM' : 'PM'}`;
}

/** The person who entered the current date, and so cannot verify it; undefined for an imported one. */
export function dateAuthorOf({ history, enteredBy }: DeadlineWithHistory): Person | undefined {
  return history.find(({ by }) => enteredBy !== null && by?.id === enteredBy)?.by ?? undefined;
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
  const names = Array.isArray(people) ? people.map((person: Person) => fullName(person)) : [];
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
      .map(columnInWords)
      .join(', ')}`,
};

/** 'Rune Lindqvist proposed Dec 14, 2026'. @param isHidden whether dates are kept from the reader */
export function entryInWords(entry: DeadlineEntry, reader: Reader, isHidden = false): string {
  const who = entry.by?.id === reader.id ? 'You' : entry.by ? fullName(entry.by) : 'Matterdesk';
  const date = dateOf(entry.to);
  const day = isHidden ? 'a date' : formatDay(date ?? '1970-01-01');
  const act = acts[entry.action]?.(entry, day);
  const alone = memberOf(entry.to, 'withoutSecond') === true ? ', without a second person' : '';
  return `${who} ${act ?? entry.action}${alone}`;
}

/** 'owner_id' is 'owner'. */
function columnInWords(column: string): string {
  return column.replace(/_id$/, '').replaceAll('_', ' ');
}

const AHEAD_DAYS = 30;
/** Days within which limitations are always shown. */
const NEAR_DAYS = 90;

/** Days between the filter's, if it has any, and the section's. */
function daysWithin({ from, to }: Filters, first: string, last?: string) {
  const end = last === undefined || (to !== '' && to < last) ? to : last;
  return { from: from > first ? from : first, ...(end && { to: end }) };
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== '');
}

/** The request query for a section. */
export function queryOf({ section, today, filters }: SectionQuery): Record<string, string> {
  const { from, to, kind } = filters;
  const days = { ...(from && { from }), ...(to && { to }) };
  const matters = { matters: filters.matters === 'archived' ? 'archived' : 'active' };
  const all = { ...matters, ...days, ...(kind && { kind }) };
  const limitations = { ...matters, status: 'open', kind: 'limitation' };
  const near = addDays(today, NEAR_DAYS);
  const [yesterday, beyond] = [addDays(today, -1), addDays(near, 1)];
  switch (section) {
    case 'waiting':
      return { ...all, attention: 'mine' };
    case 'overdue':
      return { ...all, attention: 'overdue' };
    case 'limitation':
      return { ...limitations, ...days };
    case 'near':
      return { ...limitations, ...daysWithin(filters, today, near) };
    case 'later':
      return { ...limitations, ...daysWithin(filters, beyond) };
    case 'past':
      return {
        ...limitations,
        attention: 'unverified',
        ...days,
        to: to !== '' && to < yesterday ? to : yesterday,
      };
    case 'next30':
      return { ...all, status: 'open', ...daysWithin(filters, today, addDays(today, AHEAD_DAYS)) };
  }
}

const WEEK = 7;

/** The next automatic step for a deadline; `day` is null while it waits for people. */
export type NextStep = { day: string | null; words: string };

/** The next warning and who is notified after the owner; undefined when there is none. */
export function nextStepOf(
  deadline: Deadline,
  { today, morning }: { today: string; morning: string },
): NextStep | undefined {
  if (deadline.status !== 'open') return undefined;
  if (deadline.imported && !deadline.verified)
    return { day: null, words: 'No warnings until someone verifies the date' };
  const { effectiveDate, warnDays, owner } = deadline;
  const who = owner ? fullName(owner) : 'everyone who edits the calendar';
  const at = timeInWords(morning);
  if (effectiveDate < today) return { day: addDays(today, 1), words: `${at}: warn ${who} again` };
  const days = warnDays.map((before) => addDays(effectiveDate, -before));
  const [day] = days.filter((each) => each > today).toSorted();
  if (day === undefined) return undefined;
  return {
    day,
    words: `${at}: warn ${who}${escalationInWords(deadline, daysBetween(day, effectiveDate))}`,
  };
}

/** Hard deadlines escalate to the second if no one acknowledges the warning. */
function escalationInWords({ hard, owner, second }: Deadline, left: number): string {
  if (!hard || !owner) return '';
  const hours = left === 0 ? '1 hour' : left <= WEEK ? '4 hours' : '24 hours';
  return `; after ${hours} without an answer, ${second ? fullName(second) : 'everyone who edits the calendar'}`;
}

/** 'Trial moved', or whose holidays changed. */
export function proposalInWords({ trigger, items }: Proposal): string {
  if (trigger.type === 'jurisdiction') return `The holidays of ${trigger.title} changed`;
  return items.some(({ to, status }) => to === null && status === 'open')
    ? `${trigger.title} was canceled`
    : `${trigger.title} moved`;
}

/** Proposals that wait for the reader, limited to one matter if the list is. */
export function proposalsFor(proposals: readonly Proposal[], caseId: string): Proposal[] {
  return proposals.filter(({ items }) =>
    items.some(
      ({ canDecide, deadline }) => canDecide && (caseId === '' || deadline.case?.id === caseId),
    ),
  );
}
