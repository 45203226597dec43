import { describe, expect, test } from 'vitest';
import { cluesOf, excerptOf, placeOf } from './rules.clues.ts';

const of = (...texts: string[]) => cluesOf(texts.map((text, at) => ({ page: at + 1, text })));

describe('the clues of a paper', () => {
  test('are its numbers, with the first page that has each', () => {
    const { numbers } = of('Re: 26 CV 114.', 'Case No. 2026-CV-00027, and (26 cv 114) again; 2026');
    const pages = new Map(numbers);
    expect(pages.get('26 cv 114')).toBe(1);
    expect(pages.get('2026-cv-00027')).toBe(2);
    expect(pages.has('2026')).toBe(false);
  });

  test('are no runs of prose around a number', () => {
    const { numbers } = of('The sum of 48213 is due within thirty days of 26 CV 114 (ABC).');
    expect(numbers.map(([run]) => run)).toEqual(
      expect.arrayContaining(['48213', '26 cv 114', '26 cv 114 abc']),
    );
    expect(numbers.some(([run]) => /within|thirty/.test(run))).toBe(false);
  });

  test.each([
    ['Claim 0471-88213.', [['0471-88213', 'claim']]],
    ['our Policy No. ca-4471902,', [['CA-4471902', 'policy']]],
    ['Ref: 88/2213/07', [['88/2213/07', 'number']]],
    ['File 0471-6488', [['0471-6488', 'file']]],
    ['(518) 555-0123 or 518-555-0123', []],
    ['Albany, New York 12207 or 12207-1234', []],
    ['On 11/16/2026 and 2026-11-16, for 120000.00 or 2025-2026', []],
  ])('in “%s” are the claim numbers %j', (text, claims) => {
    expect(of(text).claims).toEqual(claims);
  });

  test('are names without case and accents, days in every usual form, and addresses', () => {
    const { names, dates, places } = of(
      'NGOZI ABARA, born March 2, 1984 (03/02/1984), and José Núñez, born 5 Jan. 1990,\n12 Elm Street, Albany. Dated 2026-11-16.',
    );
    expect(names).toEqual(expect.arrayContaining(['ngozi abara', 'jose nunez']));
    expect(new Set(dates)).toEqual(new Set(['1984-03-02', '1990-01-05', '2026-11-16']));
    expect(places).toContain('12 elm st');
    expect([placeOf('12 Elm St., Albany'), placeOf('PO Box 12')]).toEqual(['12 elm st', undefined]);
  });

  test('are bounded in papers that consist of nothing else', () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `Ab${at} Cd-12345${at}`).join(' ');
    const { numbers, claims, names } = of(long, long, long, long, long);
    expect([numbers.length, claims.length, names.length]).toEqual([500, 200, 500]);
    expect(cluesOf([])).toEqual({ numbers: [], claims: [], names: [], dates: [], places: [] });
  });
});

test('an excerpt is one short line without control characters', () => {
  expect(excerptOf('  MERIDIAN\n\nMUTUAL ')).toBe('MERIDIAN MUTUAL');
  expect([...excerptOf('😀 '.repeat(500))]).toHaveLength(200);
  expect(excerptOf('a\u0000b')).toBe('');
});
