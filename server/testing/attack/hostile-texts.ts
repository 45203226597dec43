import type { Random } from '../random.ts';

const LENGTHS = [1, 40, 199, 200, 201, 2000, 5000, 20_000, 100_000, 300_000];

/** What is repeated: each has cost some program more than its length. */
const UNITS: Record<string, string> = {
  'combining marks out of order': '\u0301\u0316',
  'three classes of combining marks': '\u0345\u0301\u0327\u0316',
  'Hangul letters that compose': '\u1100\u1161\u11a8',
  'a ligature of eighteen letters': '\ufdfa',
  'capitals that grow when lowered': '\u0130',
  'a small letter that grows when raised': '\u0149',
  'right-to-left overrides': '\u202e\u202c',
  'zero-width joiners': '\u200d',
  'a family': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  blanks: ' \t',
  'line breaks': '\r\n',
  quotes: '"\'',
  wildcards: '%_\\',
  backslashes: '\\',
  commas: ',;|',
  digits: '9',
  hyphens: '-',
  'at signs': 'a@b.',
  'angle brackets': '<a href=',
  parentheses: '((a+)+)',
  letters: 'ab ',
};

const SINGLES = [
  'a\0b',
  'a\ud800b',
  '\udc00',
  '\ufeff',
  '\uffff',
  '__proto__',
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '=HYPERLINK("http://evil.example")',
  "'; drop table users; --",
  '<svg onload=alert(1)>',
  '9999-12-31',
  '0000-00-00',
  '-000001-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '1e400',
  '\u2066\u2067\u2068',
];

/** A text and the name of its kind. */
export type HostileText = { name: string; text: string };

/** Of at most so many UTF-16 units. */
export function hostileText(random: Random, longest = Infinity): HostileText {
  if (random.isLucky(0.25)) {
    const text = random.pick(SINGLES);
    return { name: JSON.stringify(text), text };
  }
  const [name, unit] = random.pick(Object.entries(UNITS));
  const length = Math.min(longest, random.pick(LENGTHS));
  const text = `a${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length + 1);
  return { name: `${length} of ${name}`, text };
}

/** One that headers and addresses can carry. */
export function hostileSegment(random: Random): string {
  const encoded = encodeURIComponent(hostileText(random, 1500).text.toWellFormed());
  return random.pick([
    encoded,
    encoded.slice(0, 4000),
    '%00',
    '%',
    '%zz',
    '%c0%ae%c0%ae',
    '%2e%2e',
    '%ff',
  ]);
}
