import { describe, expect, test } from 'vitest';
import {
  isMidnight,
  joinLines,
  plainLine,
  paragraphsOf,
  titleOf,
  truthOf,
  withRest,
} from './rules.cells.ts';

describe('a text of another system', () => {
  test('is plain, and without signs that the product refuses', () => {
    expect(paragraphsOf('<p>One</p><p>Two\u202E\u0007</p>')).toBe('One\n\nTwo');
    expect(paragraphsOf(' \u200B ')).toBe('');
    expect(plainLine('One\r\n  two\tthree')).toBe('One two three');
  });

  test('that is too long for a title is kept whole beside it', () => {
    expect(titleOf('Short')).toEqual({ title: 'Short', whole: null });
    const long = 'word '.repeat(60).trim();
    const { title, whole } = titleOf(long);
    expect([title.length <= 200, title.endsWith('…'), whole]).toEqual([true, true, long]);
  });

  test('is followed by columns that no field takes', () => {
    const row = {
      file: 'x',
      row: 2,
      cells: {},
      rest: { Type: 'Research', 'Rate <b>': '200\n300' },
    };
    expect(withRest('Text', row, 'Clio')).toBe('Text\n\nFrom Clio\nType: Research\nRate: 200\n300');
    expect(withRest('', { ...row, rest: {} }, 'Clio')).toBe('');
    expect(joinLines(['a', null, '', 'b'])).toBe('a\nb');
  });

  test('is true, false or neither', () => {
    expect([truthOf('Yes'), truthOf('0'), truthOf('maybe'), truthOf()]).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(['12:00 AM', '2026-01-02T00:00:00', '00:00'].every(isMidnight)).toBe(true);
    expect(['12:00 PM', '10:00:00', '2026-01-02'].some(isMidnight)).toBe(false);
  });
});
