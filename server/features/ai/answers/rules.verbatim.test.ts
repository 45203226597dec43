import { expect, test } from 'vitest';
import type { Page } from '../../../integrations/documents/messages.ts';
import { dividePages } from '../../../integrations/documents/passages.ts';
import { textAt } from '../retrieval/service.ts';
import { splitSentences } from './rules.ts';

const QUOTATIONS = 10_000;
/** Characters that a normalization would change: spaces, hyphens, quotes, ligatures, combined and paired characters. */
const ODD = [
  'shall',
  'the',
  'Tenant',
  'Inc.',
  'No.',
  '5.1',
  '(a)',
  '$1,450.00',
  'U.S.',
  '“Term”',
  '‘as is’',
  'over-\ndue',
  '\u00a0',
  '\t',
  '  ',
  '\u2011',
  '\u00ad',
  '\u200b',
  'ﬁling',
  'e\u0301tat',
  'é',
  '𝒜',
  '👩‍⚖️',
  'ﷺ',
  '½',
  '…',
  '—',
  "'s",
];
const ENDS = [
  '. ',
  '.\n',
  ';\n',
  '?  ',
  '.\n\n',
  ':\n\n',
  '.\r\n',
  '.\n \n',
  '\n\n5. NOTICES.\n\n',
  '',
];

/** Numbers from 0 to `below`, the same in each run (a linear congruential generator of Numerical Recipes). */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makePages(seed: number): Page[] {
  const next = numbers(seed);
  const pick = (from: readonly string[]) => from[next(from.length)] ?? '';
  const sentence = () =>
    Array.from({ length: 3 + next(40) }, () => pick(ODD)).join(' ') + pick(ENDS);
  return Array.from({ length: 1 + next(6) }, (_, at) => ({
    page: at + 1,
    text: Array.from({ length: 1 + next(20) }, sentence).join(''),
    marks: [],
    isScanned: false,
  }));
}

test('quotes passages and sentences of ten thousand exactly as their pages have them', () => {
  let quotations = 0;
  const altered: string[] = [];
  for (let seed = 1; quotations < QUOTATIONS; seed += 1) {
    const pages = makePages(seed);
    const whole = pages.map((page) => page.text).join('');
    let start = 0;
    const stored = pages.map(({ page, text }) => {
      start += text.length;
      return { documentId: 'd', page, start: start - text.length, text };
    });
    for (const passage of dividePages(pages, seed % 2 === 0)) {
      const quote = textAt(stored, { documentId: 'd', start: passage.start, end: passage.end });
      const sentences = splitSentences(quote ?? '').map((span) =>
        quote?.slice(span.start, span.end),
      );
      for (const text of [quote, ...sentences]) {
        quotations += 1;
        if (text === undefined || text === '' || !whole.includes(text)) altered.push(text ?? '');
      }
      if (quote !== whole.slice(passage.start, passage.end)) altered.push(quote ?? '');
    }
  }
  expect(altered).toEqual([]);
});
