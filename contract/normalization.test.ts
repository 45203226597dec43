import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasLongRun, normalized, withShortRuns } from './normalization.ts';

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const marks = ['\u0301', '\u0316', '\u{1D165}', '\uFF9E', '\u0334'];

describe.each(forms)('%s', (form) => {
  test('of every text with short runs is the standard one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        expect(normalized(text, form)).toBe(text.normalize(form));
      }),
    );
  });
});

describe('a text with short runs', () => {
  const run = fc.array(fc.constantFrom(...marks), { maxLength: 100 }).map((all) => all.join(''));
  const texts = fc.array(fc.oneof(run, fc.string({ unit: 'binary' }))).map((all) => all.join('a'));

  test('has the length of the original, and is its own', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const short = withShortRuns(text);
        expect(short).toHaveLength(text.length);
        expect(hasLongRun(short)).toBe(false);
        expect(hasLongRun(normalized(text))).toBe(false);
      }),
    );
  });

  test('begins each run with the thirty marks of the original', () => {
    expect(withShortRuns(`e${'\u0301'.repeat(32)}`)).toBe(`e${'\u0301'.repeat(30)}\u034F\u0301`);
    expect(withShortRuns('e\u0301'.repeat(40))).toBe('e\u0301'.repeat(40));
  });

  test('knows every character that becomes a mark', () => {
    const missed: string[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const sign = String.fromCodePoint(code);
      // A class of its own for each mark: two of one class are never put into another order.
      const moves = ['\u0301', '\u0334'].some(
        (mark) => `a${mark}${sign}`.normalize('NFKD').indexOf(mark) > 1,
      );
      if (moves && !hasLongRun(sign.repeat(31))) missed.push(code.toString(16));
    }
    expect(missed).toEqual([]);
  });
});
