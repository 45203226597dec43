// Dates of hearings in the text of a mail. A person confirms each before anything is added.

import type { EventKind } from '@matterdesk/contract/calendar.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';

/** `time` is a wall time, `09:30`; null for a whole day. */
export type FoundDate = { kind: EventKind; day: string; time: string | null };

/** Characters that are read, and those around a date that are searched for its words. */
const MAX_TEXT_LENGTH = 20_000;
const BEFORE = 120;
const AFTER = 80;
const MAX_DATES = 3;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMED =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?/gi;
const NUMBERED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g;
const TIME = /\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b/i;

/** The first word in the text that names an event decides. */
const WORDS: readonly [RegExp, EventKind][] = [
  [/\btrial\b/i, 'trial'],
  [/\bdeposition\b/i, 'deposition'],
  [/\bmediation\b/i, 'mediation'],
  [/\bhearing\b|\boral argument\b/i, 'hearing'],
  [/\bconference\b|\bcourt date\b|\bappear in court\b|\barraignment\b/i, 'courtDate'],
];

/**
 * Upcoming dates next to an event word, in the order of the text.
 * @param today the reader's; a date without a year is the next one
 */
export function findDates(text: string, today: string): FoundDate[] {
  const written = text
    .slice(0, MAX_TEXT_LENGTH)
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join(' ')
    .replaceAll(/[ \t\r\u00A0]{1,20}/g, ' ');
  const found: FoundDate[] = [];
  for (const { index, length, day } of daysIn(written, today)) {
    const kind = kindAt(written, index, length);
    if (kind === undefined || day < today) continue;
    const time = timeAfter(written.slice(index + length, index + length + AFTER));
    const isKnown = found.some((other) => other.day === day && other.kind === kind);
    if (!isKnown) found.push({ kind, day, time });
    if (found.length === MAX_DATES) break;
  }
  return found;
}

type FoundDay = { index: number; length: number; day: string };

function daysIn(text: string, today: string): FoundDay[] {
  const named = [...text.matchAll(NAMED)].map(({ index, 0: whole, 1: name, 2: date, 3: year }) => {
    const month = MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
    const at = { month, date: Number(date) };
    return { index, length: whole.length, day: dayOf(year, at, today) };
  });
  const numbered = [...text.matchAll(NUMBERED)].map(
    ({ index, 0: whole, 1: month, 2: date, 3: year }) => {
      const at = { month: Number(month), date: Number(date) };
      return { index, length: whole.length, day: dayOf(year, at, today) };
    },
  );
  return [...named, ...numbered]
    .filter(({ day }) => isRealDay(day))
    .toSorted((one, other) => one.index - other.index);
}

function dayOf(
  year: string | undefined,
  { month, date }: { month: number; date: number },
  today: string,
): string {
  const rest = `-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  if (year !== undefined) return year + rest;
  const current = today.slice(0, 4);
  return current + rest >= today ? current + rest : Number(current) + 1 + rest;
}

/** Picks the kind by the keyword nearest to a date. */
function kindAt(text: string, index: number, length: number): EventKind | undefined {
  const before = text.slice(Math.max(0, index - BEFORE), index);
  const after = text.slice(index + length, index + length + AFTER);
  let nearest: { kind: EventKind; distance: number } | undefined;
  for (const [word, kind] of WORDS) {
    const last = [...before.matchAll(new RegExp(word, 'gi'))].at(-1);
    const next = word.exec(after);
    const distances = [last && before.length - last.index, next?.index];
    const distance = Math.min(...distances.filter((one) => one !== undefined));
    if (distance < (nearest?.distance ?? Infinity)) nearest = { kind, distance };
  }
  return nearest?.kind;
}

function timeAfter(text: string): string | null {
  const [, hour, minutes = '00', half] = TIME.exec(text) ?? [];
  const hours = Number(hour);
  if (half === undefined || hours < 1 || hours > 12 || Number(minutes) > 59) return null;
  const ofDay = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(ofDay).padStart(2, '0')}:${minutes}`;
}
