// Texts and times of rows, as the product takes them.

import { normalized } from '@matterdesk/contract/normalization.ts';
import { isInvisible, withoutControls } from '@matterdesk/contract/text.ts';
import { parseDay, parseMoment } from '../../integrations/exports/dates.ts';
import type { SourceRow } from '../../integrations/exports/row.ts';
import { plainText } from '../../integrations/exports/texts.ts';

/** Characters of a line, and of a text as its reader takes it. */
const LINE_MAX = 200;
const READ_MAX = 400_000;
const MIDNIGHT = /(?:^|[T\s])(?:00?:00(?::00)?(?:\.0{1,9})?|12:00(?::00)?\s?a\.?m\.?)$/i;
const TIME_OF_DAY = /\d:\d\d|\d\s?[ap]\.?m\b/i;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Whether it is an instant as we write it ourselves, to the millisecond. */
export function isInstant(text: string): boolean {
  const at = INSTANT.test(text) ? new Date(text) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** Order of day and month, and the zone of times without one. */
export type Clock = { dates: 'ymd' | 'mdy' | 'dmy'; timeZone: string };

/** Plain text with lines, from HTML or text. @param isPlain for what is no HTML, whatever it looks like */
export function paragraphsOf(text = '', isPlain = false): string {
  const read = (isPlain ? text : plainText(text)).toWellFormed();
  const plain = withoutControls(normalized(read)).trim();
  return isInvisible(plain) ? '' : plain;
}

/** Whether the end of a text would be lost. */
export function isTooLong(text = ''): boolean {
  return text.length > READ_MAX;
}

/** Plain text on one line, of any length. */
export function lineOf(text = '', isPlain = false): string {
  return paragraphsOf(text, isPlain).replaceAll(/\s+/g, ' ');
}

/** A line that the product takes, and the whole line where it is longer. */
export function titleOf(text: string): { title: string; whole: string | null } {
  if (text.length <= LINE_MAX) return { title: text, whole: null };
  return {
    title: `${text
      .slice(0, LINE_MAX - 1)
      .toWellFormed()
      .trimEnd()}…`,
    whole: text,
  };
}

/** Paragraphs without the blank ones. */
export function joinLines(lines: readonly (string | null | undefined)[]): string {
  return lines.filter((line) => !!line).join('\n');
}

/** Columns that no field takes, verbatim below the text. */
export function withRest(text: string, { rest, isPlain }: SourceRow, system: string): string {
  const lines = Object.entries(rest).flatMap(([header, value]) => {
    const shown = paragraphsOf(value, isPlain);
    return shown === '' ? [] : [`${lineOf(header)}: ${shown}`];
  });
  if (lines.length === 0) return text;
  const below = [`From ${system}`, ...lines].join('\n');
  return text === '' ? below : `${text}\n\n${below}`;
}

/** 'By Jane Doe in Clio', for someone who has no account. */
export function bylineOf(name: string, system: string): string {
  return `By ${lineOf(name)} in ${system}`;
}

/** Whether a time of day is written. */
export function hasTime(text: string): boolean {
  return TIME_OF_DAY.test(text);
}

/** Whether it is midnight, which systems write for a day without a time. */
export function isMidnight(text: string): boolean {
  return MIDNIGHT.test(text);
}

/** An instant in ISO 8601; null for what is no date. */
export function momentOf(text: string, { dates, timeZone }: Clock): string | null {
  if (isInstant(text)) return text;
  return parseMoment(text, { form: dates, timeZone });
}

/** The day that is written, whatever the time of day beside it; null for what is no date. */
export function dayOf(text: string, clock: Clock): string | null {
  return momentOf(text, clock) === null ? null : parseDay(text, clock.dates);
}

export function notADate(text: string): string {
  const shown = lineOf(text).slice(0, LINE_MAX);
  return shown === '' ? 'The date is empty' : `“${shown}” is not a date`;
}

const YES = new Set(['1', 'true', 'yes', 'y', 'x', 't', 'on', '✓']);
const NO = new Set(['0', 'false', 'no', 'n', 'f', 'off', '-']);

/** True or false by a word; undefined for any other. */
export function truthOf(word = ''): boolean | undefined {
  const key = word.trim().toLowerCase();
  if (YES.has(key)) return true;
  return NO.has(key) ? false : undefined;
}
