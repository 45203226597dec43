import { normalized } from '@matterdesk/contract/normalization.ts';

/** What an event may have, as the calendar's own forms. */
const LONGEST_LINE = 200;
const LONGEST_TEXT = 4000;
const LONGEST_LINK = 2000;

/** Control characters, lone surrogates, and overrides of the direction of writing, which deceive. */
const HOSTILE = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]+/gu;
const HOSTILE_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

export function lineOf(text: string): string {
  const line = normalized(text.slice(0, 4 * LONGEST_LINE).replaceAll(HOSTILE, ' ')).trim();
  return cut(line, LONGEST_LINE);
}

export function paragraphsOf(text: string): string {
  const written = text.slice(0, 4 * LONGEST_TEXT).replaceAll(/\r\n?/g, '\n');
  return cut(normalized(written.replaceAll(HOSTILE_IN_TEXT, '')).trim(), LONGEST_TEXT);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`;
}

/** Web addresses only. */
export function linkOf(text: string): string {
  const link = text.trim();
  const isLink = /^https?:\/\/[^/?#]/i.test(link) && !/[\s\p{Cc}\p{Cs}]/u.test(link);
  return isLink && link.length <= LONGEST_LINK ? link : '';
}
