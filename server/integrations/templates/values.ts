// Values as letters print them.

import type { Data, Field, Value } from './catalog.ts';
import type { Filter } from './grammar.ts';

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
// Without a comma before the last: 'A, B and C' in section 20 of the contract.
const LISTED = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
/** Marks of our own, and what XML cannot have. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\uE000-\uE0FF\uFFFE\uFFFF]/gu;

/** Null, blank and empty lists are nothing to print. */
export function isBlank(value: Value | undefined): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string' && value.trim() === '';
}

/** A value in words; lines only where the field or a filter has them. */
export function print(value: Value, kind: Field['kind'], filters: readonly Filter[]): string {
  const hasLines = kind === 'lines' || filters.includes('lines');
  let text = toText(value, kind, filters);
  for (const filter of filters) text = (CASES[filter] ?? same)(text);
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(UNPRINTABLE, '').toWellFormed();
  return hasLines ? clean : clean.replaceAll('\n', ' ');
}

const same = (text: string) => text;
const CASES: Partial<Record<Filter, (text: string) => string>> = {
  upper: (text) => text.toLocaleUpperCase('en-US'),
  title: (text) =>
    text.replaceAll(/(?<![\p{L}\p{N}’'])\p{L}/gu, (letter) => letter.toLocaleUpperCase('en-US')),
};

function toText(value: Value, kind: Field['kind'], filters: readonly Filter[]): string {
  if (Array.isArray(value)) {
    const names = (value as readonly (string | Data)[]).map(nameOf);
    return filters.includes('lines') ? names.join('\n') : LISTED.format(names);
  }
  const text = typeof value === 'object' ? nameOf(value as Data) : String(value);
  if (kind === 'date') return toDay(text, filters);
  return kind === 'phone' && filters.includes('phone') ? toPhone(text) : text;
}

/** Names an item of a list. */
function nameOf(item: string | Data): string {
  if (typeof item === 'string') return item;
  const name = item['name'] ?? item['title'];
  return typeof name === 'string' ? name : '';
}

function toDay(text: string, filters: readonly Filter[]): string {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return text;
  const format = filters.find((filter) => filter === 'iso' || filter === 'short') ?? 'long';
  if (format === 'iso') return text;
  if (format === 'short') return `${month}/${day}/${year}`;
  return LONG.format(new Date(`${text}T00:00:00Z`));
}

/** '(212) 555-0111' for numbers of North America, others as E.164. */
function toPhone(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  const isForeign = text.trim().startsWith('+') && !digits.startsWith('1');
  if (isForeign) return `+${digits}`;
  const [, area, office, line] = /^(\d{3})(\d{3})(\d{4})$/.exec(national) ?? [];
  return area === undefined ? text : `(${area}) ${office}-${line}`;
}
