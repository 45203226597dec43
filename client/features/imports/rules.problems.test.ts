import { describe, expect, test } from 'vitest';
import { countsOf, petrov, importProblem } from '../../testing/factories.ts';
import {
  allRowsInWords,
  bothOf,
  groupsOf,
  pageOf,
  placeInWords,
  problemCounts,
} from './rules.problems.ts';

const start = (row: number) =>
  importProblem({
    file: 'calendar.csv',
    row,
    column: 'Start',
    message: 'No start time',
    kind: 'events',
  });

const placeOf = (...problems: Parameters<typeof groupsOf>[0]) =>
  groupsOf(problems).map(placeInWords);

describe('problems', () => {
  test('that read the same share a line with their count', () => {
    const groups = groupsOf([start(4), importProblem(), start(9), start(12)]);
    expect(groups.map(({ count, rows }) => [count, rows])).toEqual([
      [3, [4, 9, 12]],
      [1, [611]],
    ]);
    expect(groups.map(placeInWords)).toEqual([
      'calendar.csv, 3 rows, Start',
      'matters.csv, row 611, Open Date',
    ]);
  });

  test('name one row or two, and count more', () => {
    expect(placeOf(start(4))).toEqual(['calendar.csv, row 4, Start']);
    expect(placeOf(start(88), start(1902))).toEqual(['calendar.csv, rows 88 and 1,902, Start']);
  });

  test('of a whole file name the file', () => {
    expect(placeOf(importProblem({ row: null, column: null }))).toEqual(['matters.csv']);
  });

  test('of records here name the record, and are not joined with those of others', () => {
    const other = { ...petrov, item: { id: 'c9', name: 'Yilmaz v. Metro' } };
    expect(placeOf(petrov, other)).toEqual([
      'Petrov v. Cascade Builders, SOL',
      'Yilmaz v. Metro, SOL',
    ]);
  });

  test('list their rows, up to a limit', () => {
    expect(allRowsInWords([4, 9, 1200])).toBe('Rows 4, 9, 1,200');
    const many = Array.from({ length: 250 }, (_, at) => at + 2);
    expect(allRowsInWords(many)).toMatch(/^Rows 2, 3, .*, 201 and 50 more$/);
  });

  test('are counted over all kinds, beyond those that are listed', () => {
    const counts = { contacts: countsOf(9, 4, 0, 0, 2, 3), matters: countsOf(2, 1, 0, 0, 0, 1) };
    expect(problemCounts({ counts })).toEqual({ refused: 4, conflicting: 2 });
  });
});

describe('a conflict', () => {
  test('has both values, days as days', () => {
    expect(bothOf(petrov)).toEqual({ here: 'Jul 2, 2027', there: 'Jul 12, 2027' });
    const empty = { ...petrov, message: 'Here “”, in the file “Hon. R. Adler”' };
    expect(bothOf(empty)).toEqual({ here: 'nothing', there: 'Hon. R. Adler' });
  });

  test('without two values is a sentence', () => {
    expect(bothOf({ ...petrov, message: 'Two matters have this number' })).toBeNull();
    expect(bothOf({ ...petrov, outcome: 'refused' })).toBeNull();
  });

  test('of a matter or a contact leads to its page', () => {
    expect(pageOf({ kind: 'matters', id: 'c2' })).toEqual({
      to: '/dashboard/caseDetails/c2',
      label: 'Open matter',
    });
    expect(pageOf({ kind: 'contacts', id: 'c2' })).toEqual({
      to: '/dashboard/contacts/c2',
      label: 'Open contact',
    });
    expect(pageOf({ kind: 'notes', id: 'c2' })).toBeNull();
  });
});
