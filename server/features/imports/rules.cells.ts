// Texts and times of rows, as the product takes them.

import * as z from 'zod/mini';
import { type PartyRole, partyRoles } from '@matterdesk/contract/contacts.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { isInvisible, withoutControls } from '@matterdesk/contract/text.ts';
import { fold } from '../../db/search.ts';
import { INSTANT } from '../../http/paging.ts';
import { parseDay, parseMoment } from '../../integrations/exports/dates.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import { plainText } from '../../integrations/exports/texts.ts';

/** Characters of a line, and of a text as its reader takes it. */
const MAX_LINE_LENGTH = 200;
const MAX_READ_LENGTH = 400_000;
const MIDNIGHT = /(?:^|[T\s])(?:00?:00(?::00)?(?:\.0{1,9})?|12:00(?::00)?\s?a\.?m\.?)$/i;
const TIME_OF_DAY = /\d:\d\d|\d\s?[ap]\.?m\b/i;

/** Whether it is an instant as we write it ourselves, to the millisecond. */
export function isInstant(text: string): boolean {
  const at = INSTANT.test(text) ? new Date(text) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** Order of day and month, and the zone of times without one. */
export type Clock = { dates: 'ymd' | 'mdy' | 'dmy'; timeZone: string };

/** Plain text with lines, from HTML or text. @param isPlain for text that only looks like HTML */
export function paragraphsOf(text = '', isPlain = false): string {
  const read = (isPlain ? text : plainText(text)).toWellFormed();
  const plain = withoutControls(normalized(read)).trim();
  return isInvisible(plain) ? '' : plain;
}

/** Whether the end of a text would be lost. */
export function isTooLong(text = ''): boolean {
  return text.length > MAX_READ_LENGTH;
}

/** Plain text on one line, of any length, from HTML or text. */
export function plainLine(text = '', isPlain = false): string {
  return paragraphsOf(text, isPlain).replaceAll(/\s+/g, ' ');
}

/** A text as it is written, without control characters, with plain line ends. */
export function plain(text: string): string {
  return normalized(withoutControls(text.replaceAll(/\r\n?/g, '\n'))).trim();
}

/** A text as it is written, in one line; null for one that is blank or too long. */
export function shortLine(text: string | undefined, max = MAX_LINE_LENGTH): string | null {
  const line = plain(text ?? '').replaceAll(/\s+/g, ' ');
  return line === '' || line.length > max ? null : line;
}

/** A text as it is written, in one line, cut at its end. */
export function cutLine(text: string, max = MAX_LINE_LENGTH): string {
  const line = plain(text).replaceAll(/\s+/g, ' ');
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

/** A line that the product takes, and the whole line where it is longer. */
export function titleOf(text: string): { title: string; whole: string | null } {
  if (text.length <= MAX_LINE_LENGTH) return { title: text, whole: null };
  return {
    title: `${text
      .slice(0, MAX_LINE_LENGTH - 1)
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
    return shown === '' ? [] : [`${plainLine(header)}: ${shown}`];
  });
  return [text, blockFrom(system, lines)].filter((part) => part !== '').join('\n\n');
}

/** Lines below 'From Clio'; empty without any. */
function blockFrom(system: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`From ${system}`, ...lines].join('\n');
}

/** Cells of a row that are kept as texts: those that no field takes, and values that a field cannot take. */
export class Leftovers {
  readonly #lines: string[] = [];

  add(label: string, value: string | undefined): void {
    const text = plain(value ?? '');
    if (text !== '') this.#lines.push(`${label}: ${text}`);
  }

  addAll(rest: Readonly<Record<string, string>>): void {
    for (const [header, value] of Object.entries(rest)) this.add(header, value);
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** All of them below 'From Clio'; empty without any. */
  blockFrom(system: string): string {
    return blockFrom(system, this.#lines);
  }
}

/** 'By Jane Doe in Clio', for someone who has no account. */
export function bylineOf(name: string, system: string): string {
  return `By ${plainLine(name)} in ${system}`;
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

/** The day of a date, with or without a time; null if it is not a date. */
export function dayOf(text: string, clock: Clock): string | null {
  return momentOf(text, clock) === null ? null : parseDay(text, clock.dates);
}

export function notADate(text: string): string {
  const shown = plainLine(text).slice(0, MAX_LINE_LENGTH);
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

// Values of cells as our fields take them.

const MAX_EMAIL_LENGTH = 254;
const MAX_PHONE_LENGTH = 40;
const MIN_DIGITS = 3;
const EMAIL = z.regexes.email;

type LabeledCells = { cells: readonly (string | undefined)[]; label: string; rest: Leftovers };

/** Email addresses in the cells; anything else goes to the leftovers. */
export function emailsOf({ cells, label, rest }: LabeledCells): string[] {
  const found: string[] = [];
  for (const cell of cells)
    for (const part of (cell ?? '').split(/[;,\s]+/)) {
      const email = part.replaceAll(/[<>()"']/g, '');
      if (email === '') continue;
      if (EMAIL.test(email) && email.length <= MAX_EMAIL_LENGTH) found.push(email);
      else rest.add(label, part);
    }
  return found;
}

/** Phone numbers in the cells; anything else goes to the leftovers. */
export function phonesOf({ cells, label, rest }: LabeledCells): string[] {
  const found: string[] = [];
  for (const cell of cells)
    for (const part of (cell ?? '').split(/[;\n]/)) {
      const number = shortLine(part, MAX_PHONE_LENGTH);
      if (number !== null && number.replaceAll(/\D/g, '').length >= MIN_DIGITS) found.push(number);
      else rest.add(label, part);
    }
  return found;
}

const MAX_ADDRESS_LENGTH = 500;

/** An address as it is written on a letter. */
export function addressOf(cells: Readonly<Record<string, string>>, rest: Leftovers): string | null {
  const { address = '', street = '', city = '', state = '', postalCode = '', country = '' } = cells;
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const lines = [address, street, place, country].map(plain).filter(Boolean);
  const text = lines.join('\n');
  if (text.length <= MAX_ADDRESS_LENGTH) return text === '' ? null : text;
  rest.add('Address', text);
  return null;
}

const ROLES: Record<string, PartyRole> = {
  plaintiff: 'client',
  petitioner: 'client',
  claimant: 'client',
  defendant: 'opposingParty',
  respondent: 'opposingParty',
  'opposing party': 'opposingParty',
  'adverse party': 'opposingParty',
  'opposing counsel': 'opposingCounsel',
  'opposing attorney': 'opposingCounsel',
  'defense attorney': 'opposingCounsel',
  'defense counsel': 'opposingCounsel',
  'co-counsel': 'coCounsel',
  'co counsel': 'coCounsel',
  'expert witness': 'expert',
  insurance: 'insurer',
  'insurance company': 'insurer',
  'insurance carrier': 'insurer',
  carrier: 'insurer',
  adjuster: 'insurer',
  doctor: 'provider',
  physician: 'provider',
  hospital: 'provider',
  'medical provider': 'provider',
  'health care provider': 'provider',
  'legal guardian': 'guardian',
  'guardian ad litem': 'guardian',
  parent: 'guardian',
  'referral source': 'referrer',
  'referred by': 'referrer',
};

/** Our role for a word; null for a word that has none. */
export function roleOf(word: string): PartyRole | null {
  const key = fold(word.trim());
  return partyRoles.find((role) => fold(role) === key) ?? ROLES[key] ?? null;
}
