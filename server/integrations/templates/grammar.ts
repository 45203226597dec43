// The language inside {{…}}: closed, without arithmetic, scripts or names of its own.

export const FILTERS = [
  'long',
  'short',
  'iso',
  'upper',
  'title',
  'phone',
  'lines',
  'list',
] as const;
export type Filter = (typeof FILTERS)[number];

export type Tag =
  | { type: 'field'; path: string; filters: Filter[] }
  | { type: 'ask'; question: string; filters: Filter[] }
  /** `isEmpty`: for what has no value. */
  | { type: 'open'; path: string; equals: string | null; isEmpty: boolean }
  | { type: 'close' };

/** A sentence for the author of a template, about the tag that it quotes. */
export class TagError extends Error {}

const MAX_FILTERS = 3;
const MAX_TAG_LENGTH = 500;

/** Word writes curly quotes while someone types. */
const SINGLE = "'‘’‚‛";
const DOUBLE = '"“”„‟';
const PATH = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;
/** From the first quote to the last: a question may have an apostrophe. */
const TEXT = `(?:[${SINGLE}](.*)[${SINGLE}]|[${DOUBLE}](.*)[${DOUBLE}])`;
const ASK = new RegExp(`^ask\\s*${TEXT}\\s*((?:\\|[^|${SINGLE}${DOUBLE}]*)*)$`, 'isu');
const EQUALS = new RegExp(`^([^=]*?)\\s*=\\s*${TEXT}$`, 'su');

/**
 * Parses the text between the braces.
 * @throws TagError
 */
export function parseTag(source: string): Tag {
  const text = source
    .replaceAll(/[\s\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu, ' ')
    .trim();
  if (text === '') throw new TagError('{{}} is empty. Name a field, such as {{client.name}}.');
  if (text.length > MAX_TAG_LENGTH) throw new TagError(`${quote(text)} is too long for a field.`);
  if (text.startsWith('/')) return { type: 'close' };
  if (text.startsWith('#')) return parseOpen(text);
  if (text.startsWith('^'))
    return { type: 'open', path: parsePath(text.slice(1), text), equals: null, isEmpty: true };
  const asked = ASK.exec(text);
  if (asked) return parseAsk(asked, text);
  if (/^ask\b(?!\.)/i.test(text))
    throw new TagError(`${quote(text)} needs its question in quotes: {{ask 'Which records?'}}.`);
  const [path = '', ...filters] = text.split('|');
  return { type: 'field', path: parsePath(path, text), filters: parseFilters(filters, text) };
}

function parseAsk([, single, double, filters = '']: RegExpExecArray, text: string): Tag {
  const question = (single ?? double ?? '').trim();
  if (question === '') throw new TagError(`${quote(text)} has no question.`);
  return { type: 'ask', question, filters: parseFilters(filters.split('|').slice(1), text) };
}

function parseOpen(text: string): Tag {
  const rest = text.slice(1);
  const [, path, single, double] = EQUALS.exec(rest) ?? [];
  if (path === undefined) {
    if (rest.includes('='))
      throw new TagError(`${quote(text)} needs its value in quotes: {{#case.type = 'PI'}}.`);
    return { type: 'open', path: parsePath(rest, text), equals: null, isEmpty: false };
  }
  const equals = (single ?? double ?? '').trim();
  return { type: 'open', path: parsePath(path, text), equals, isEmpty: false };
}

function parsePath(written: string, text: string): string {
  const path = written.trim();
  if (PATH.test(path)) return path;
  throw new TagError(`${quote(text)} is not understood. Write a field, such as {{client.name}}.`);
}

function parseFilters(written: readonly string[], text: string): Filter[] {
  if (written.length > MAX_FILTERS)
    throw new TagError(`${quote(text)} has more than ${MAX_FILTERS} filters.`);
  return written.map((word) => {
    const filter = FILTERS.find((name) => name === word.trim().toLowerCase());
    if (filter) return filter;
    throw new TagError(
      `${quote(text)}: ${word.trim().slice(0, 40) || 'nothing'} is not a filter. Filters are ${FILTERS.join(', ')}.`,
    );
  });
}

const MAX_QUOTE_LENGTH = 80;

/** The tag as its author wrote it. */
export function quote(source: string): string {
  const text = source.replaceAll(/\s+/gu, ' ').trim();
  const short =
    text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : text;
  return `{{${short}}}`;
}
