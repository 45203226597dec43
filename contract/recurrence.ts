import { isRealDay } from './time.ts';

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];
export const INTERVAL_MAX = 99;
export const OCCURRENCES_MAX = 730;

/** Recurrence of an event: the part of RFC 5545's RRULE that the calendar understands. */
export type Recurrence = {
  frequency: Frequency;
  interval: number;
  /** Days of the week; `nth` of a month from 1 to 4, or -1 for the last one. */
  byDay: { nth: number | null; day: Weekday }[];
  /** At most one day of the month, from 1 to 31, or -1 for the last one. */
  byMonthDay: number[];
  count: number | null;
  /** The last possible day, `YYYY-MM-DD`. */
  until: string | null;
};

const PART = /^(FREQ|INTERVAL|BYDAY|BYMONTHDAY|COUNT|UNTIL)=([A-Z0-9,-]+)$/;
const NTH_DAY = /^([1-4]|-1)?(MO|TU|WE|TH|FR|SA|SU)$/;
const WHOLE = /^[1-9]\d{0,2}$/;
const MONTH_DAY = /^(-1|[1-9]|[12]\d|3[01])$/;

/** @returns undefined for anything but a rule that the calendar understands */
export function parseRecurrence(rule: string): Recurrence | undefined {
  const parts = new Map<string, string>();
  for (const part of rule.split(';')) {
    const [, name, value] = PART.exec(part) ?? [];
    if (name === undefined || value === undefined || parts.has(name)) return undefined;
    parts.set(name, value);
  }
  const frequency = frequencies.find((name) => name === parts.get('FREQ'));
  const interval = readWhole(parts.get('INTERVAL'), INTERVAL_MAX);
  const count = readWhole(parts.get('COUNT'), OCCURRENCES_MAX);
  const until = readDay(parts.get('UNTIL'));
  const byDay = readList(parts.get('BYDAY'), readNthDay);
  const byMonthDay = readList(parts.get('BYMONTHDAY'), readMonthDay);
  if (!frequency || interval === undefined || count === undefined || until === undefined)
    return undefined;
  if (!byDay || !byMonthDay || (count !== null && until !== null)) return undefined;
  const read = { frequency, interval: interval ?? 1, byDay, byMonthDay, count, until };
  return fits(read) ? read : undefined;
}

/** Parts allowed for each frequency. */
function fits({ frequency, byDay, byMonthDay }: Recurrence): boolean {
  if (frequency === 'MONTHLY') {
    const isNth = byDay.every(({ nth }) => nth !== null);
    const parts = byDay.length + byMonthDay.length;
    return parts === 0 || (parts === 1 && isNth);
  }
  if (byMonthDay.length > 0 || byDay.some(({ nth }) => nth !== null)) return false;
  return frequency !== 'YEARLY' || byDay.length === 0;
}

function readWhole(text: string | undefined, most: number): number | null | undefined {
  if (text === undefined) return null;
  return WHOLE.test(text) && Number(text) <= most ? Number(text) : undefined;
}

function readDay(text: string | undefined): string | null | undefined {
  if (text === undefined) return null;
  const day = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return isRealDay(day) ? day : undefined;
}

function readList<T>(
  text: string | undefined,
  read: (item: string) => T | undefined,
): T[] | undefined {
  if (text === undefined) return [];
  const items = text.split(',').map(read);
  const found = items.filter((item) => item !== undefined);
  const isUnique = new Set(text.split(',')).size === items.length;
  return found.length === items.length && isUnique ? found : undefined;
}

function readNthDay(text: string) {
  const [, nth, name] = NTH_DAY.exec(text) ?? [];
  const day = weekdays.find((known) => known === name);
  return day && { nth: nth === undefined ? null : Number(nth), day };
}

function readMonthDay(text: string) {
  return MONTH_DAY.test(text) ? Number(text) : undefined;
}

/** The rule as RRULE's value, in one spelling. */
export function formatRecurrence(recurrence: Recurrence): string {
  const { frequency, interval, byDay, byMonthDay, count, until } = recurrence;
  const days = byDay.map(({ nth, day }) => `${nth ?? ''}${day}`);
  return [
    `FREQ=${frequency}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...(days.length === 0 ? [] : [`BYDAY=${days.join(',')}`]),
    ...(byMonthDay.length === 0 ? [] : [`BYMONTHDAY=${byMonthDay.join(',')}`]),
    ...(count === null ? [] : [`COUNT=${count}`]),
    ...(until === null ? [] : [`UNTIL=${until.replaceAll('-', '')}`]),
  ].join(';');
}
