// Dates as other systems write them.

import type { DateForm } from '@matterdesk/contract/cases.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { instantOf, startOfDay } from '../../core/dates.ts';

/** Two digits of a year up to this are of the 21st century. */
const PIVOT = 49;
const MAX_DATE_LENGTH = 80;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?';
const YEAR = '(\\d{4}|\\d{2})';
const END = '(?=$|[T\\s,])';

const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${END}`, 'i');
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?=$|T|\s)/;
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2${YEAR}${END}`, 'i');
const MONTH_FIRST = new RegExp(
  `^${MONTH}[-\\s]+(\\d{1,2})(?:st|nd|rd|th)?[-,\\s]+${YEAR}${END}`,
  'i',
);
const DAY_FIRST = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th|\\.)?[-\\s]+${MONTH}[-,\\s]+${YEAR}${END}`,
  'i',
);
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i;

type FoundDay = { day: string; rest: string };

/** A day as `YYYY-MM-DD`; null for what is no day, or for a day in another order than that of the file. */
export function parseDay(text: string, form: DateForm): string | null {
  return dayIn(text, form)?.day ?? null;
}

function dayIn(text: string, form: DateForm): FoundDay | undefined {
  const written = text.trim().replace(WEEKDAY, '');
  if (written.length > MAX_DATE_LENGTH) return undefined;
  const first = YEAR_FIRST.exec(written);
  if (first) return toDay(first, [first[1], first[3], first[4]], written);
  const compact = COMPACT.exec(written);
  if (compact) return toDay(compact, [compact[1], compact[2], compact[3]], written);
  const last = YEAR_LAST.exec(written);
  if (last) {
    const [, one, , other, year] = last;
    const [month, date] = form === 'dmy' ? [other, one] : [one, other];
    return toDay(last, [year, month, date], written);
  }
  const named = MONTH_FIRST.exec(written);
  if (named) return toDay(named, [named[3], numberOf(named[1]), named[2]], written);
  const inverse = DAY_FIRST.exec(written);
  if (inverse) return toDay(inverse, [inverse[3], numberOf(inverse[2]), inverse[1]], written);
  return undefined;
}

function numberOf(month = ''): string {
  return String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);
}

function toDay(
  [whole]: RegExpExecArray,
  [year = '', month = '', date = '']: (string | undefined)[],
  written: string,
): FoundDay | undefined {
  const full = year.length === 2 ? `${Number(year) > PIVOT ? 19 : 20}${year}` : year;
  const day = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isRealDay(day) ? { day, rest: written.slice(whole.length) } : undefined;
}

/** After the day, with single blanks. */
const TIME =
  /^(?:T| |, ?)(?:at )?(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:[.,]\d{1,9})?)? ?(?:([ap])\.?(?:m\.?)?)? ?(z|ut|utc|gmt|[ecmp][sd]t|[+-]\d{2}:?\d{2})?(?: ?\([^()]*\)|\[[^\]]*\])?$/i;
/** Offsets of American time zones, as mails write them (RFC 5322). */
const ZONES: Record<string, string> = {
  z: 'Z',
  ut: 'Z',
  utc: 'Z',
  gmt: 'Z',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
};

/** An instant in ISO 8601; a day alone is its beginning. Null for anything else. */
export function parseMoment(
  text: string,
  { form, timeZone }: { form: DateForm; timeZone: string },
): string | null {
  const found = dayIn(text, form);
  if (!found) return null;
  if (found.rest.trim() === '') return startOfDay(found.day, timeZone).toISOString();
  const parts = TIME.exec(found.rest.replaceAll(/\s+/g, ' ').trimEnd());
  const time = parts && clockOf(parts);
  if (!time) return null;
  const wall = `${found.day}T${time}`;
  const zone = parts[5]?.toLowerCase();
  if (zone === undefined) return instantOf(wall, timeZone).toISOString();
  const offset = ZONES[zone] ?? `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const at = new Date(wall + offset);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function clockOf([, hour = '', minute, second = '00', half]: RegExpExecArray): string | null {
  if (minute === undefined && half === undefined) return null;
  const isTwelve = half !== undefined;
  let hours = Number(hour);
  if (isTwelve && (hours < 1 || hours > 12)) return null;
  if (isTwelve) hours = (hours % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute ?? 0) > 59 || Number(second) > 59) return null;
  return `${String(hours).padStart(2, '0')}:${minute ?? '00'}:${second}`;
}

/** The order that fits most of a column's dates; where all are ambiguous, that of their sign. */
export function formOf(samples: readonly string[]): DateForm {
  const counts = { ymd: 0, mdy: 0, dmy: 0 };
  let dots = 0;
  for (const sample of samples) {
    const written = sample.trim().replace(WEEKDAY, '').slice(0, MAX_DATE_LENGTH);
    const [, one, sign, other] = YEAR_LAST.exec(written) ?? [];
    if (YEAR_FIRST.test(written) || COMPACT.test(written)) counts.ymd += 1;
    else if (Number(one) > 12 && Number(other) <= 12) counts.dmy += 1;
    else if (Number(other) > 12 && Number(one) <= 12) counts.mdy += 1;
    if (sign !== undefined) dots += sign === '.' ? 1 : -1;
  }
  if (counts.mdy + counts.dmy > 0) return counts.dmy > counts.mdy ? 'dmy' : 'mdy';
  if (dots !== 0) return dots > 0 ? 'dmy' : 'mdy';
  return counts.ymd > 0 ? 'ymd' : 'mdy';
}
