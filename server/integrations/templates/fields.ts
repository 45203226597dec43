import type { TemplateFieldKind } from '@matterdesk/contract/templates.ts';
import type { Filter } from './grammar.ts';

/** A field that a template can name. */
export type Field = {
  /** 'client.name'; within a list's items bare: 'name'. */
  path: string;
  /** 'Client: date of birth'; within a list's items without the list: 'phone'. */
  label: string;
  kind: TemplateFieldKind;
  /** Values of a choice, which are all that '=' may name. */
  choices?: readonly string[];
  /** Members of a list's items; absent for a list of texts. */
  items?: readonly Field[];
};

export type Value = string | number | null | Data | readonly Data[] | readonly string[];
/** Nested by the dots of the paths; dates 'YYYY-MM-DD'; phones as entered or E.164. */
export type Data = { readonly [name: string]: Value };

/** A field as found from a place in the template. */
export type ResolvedField = {
  field: Field;
  /** Loops that the value is looked up in: 0 for the matter, 1 for the items of the outermost list. */
  depth: number;
  /** 'parties.insurer.phone' */
  path: string;
  /** 'Insurer: phone' */
  label: string;
  /** Names the list whose items are being repeated, and so the item. */
  isItem: boolean;
};

/** A list whose items are repeated; null for a condition, which opens no names. */
export type Scope = ResolvedField | null;

/** Looks a path up in the innermost list first, as a reader does. */
export function findField(
  catalog: readonly Field[],
  scopes: readonly Scope[],
  path: string,
): ResolvedField | undefined {
  const lists = scopes.filter((scope) => scope !== null);
  for (let depth = lists.length; depth > 0; depth -= 1) {
    const list = lists[depth - 1];
    if (!list) continue;
    const field = list.field.items?.find((item) => item.path === path);
    if (field) {
      const names = { path: `${list.path}.${path}`, label: `${list.label}: ${field.label}` };
      return { field, depth, ...names, isItem: false };
    }
    if (list.path === path) return { ...list, depth, isItem: true };
  }
  const field = catalog.find((one) => one.path === path);
  return field && { field, depth: 0, path, label: field.label, isItem: false };
}

/** The nearest path that could be meant here; undefined where nothing comes near. */
export function suggestPath(
  catalog: readonly Field[],
  scopes: readonly Scope[],
  path: string,
): string | undefined {
  const items = scopes.flatMap((scope) => scope?.field.items ?? []);
  const known = [...items, ...catalog].map((field) => field.path);
  // A group's name, such as 'client', is no field, and its members are.
  return known.find((name) => name.startsWith(`${path}.`)) ?? nearest(path, known);
}

/** The word with the fewest edits, when these are few for its length. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const edits = countEdits(word.toLowerCase(), name.toLowerCase());
    if (edits < least) [best, least] = [name, edits];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbors. */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const isSame = from[row - 1] === to[at - 1];
      const isSwap = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      const replaced = (last[at - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwap ? (before[at - 2] ?? 0) + 1 : replaced;
      line.push(Math.min(replaced, swapped, (last[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    [before, last] = [last, line];
  }
  return last[to.length] ?? 0;
}

// Values as letters print them.

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
