import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { toLocalInput } from '../../ui/local-input.ts';
import {
  changesOf,
  columnBeside,
  dropBefore,
  formatDay,
  isInPlace,
  minimalOrder,
  placeBefore,
  toInstant,
  withOwnOrder,
} from './rules.ts';

const task: Task = {
  id: 't1',
  name: 'Draft complaint',
  description: '',
  startTime: '2026-11-16T14:00:00.000Z',
  endTime: '2026-12-04T21:00:00.000Z',
  type: 'intake',
  columnSince: '2026-11-01T09:00:00.000Z',
  doneAt: null,
  assignedTo: { id: 'u1', firstName: 'Rune', lastName: 'Lindqvist' },
  assignee: 'u2',
  case: 'c1',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

describe('the order of a column', () => {
  test('puts arranged cards first and lets new ones follow', () => {
    expect(withOwnOrder(['a', 'b', 'c', 'd'], ['c', 'a'])).toEqual(['c', 'a', 'b', 'd']);
  });

  test('drops arranged cards that are not in the column', () => {
    expect(withOwnOrder(['a', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'a']);
  });

  test('holds each card once in any arrangement', () => {
    fc.assert(
      fc.property(ids(), fc.array(fc.constantFrom('a', 'b', 'c', 'x', 'y')), (column, own) => {
        const merged = withOwnOrder(column, [...new Set(own)]);
        expect(merged.toSorted()).toEqual(column.toSorted());
      }),
    );
  });

  test('stores only the part of an arrangement needed to restore it', () => {
    fc.assert(
      fc.property(arrangement(), ({ column, arranged }) => {
        const own = minimalOrder(arranged, column);
        expect(withOwnOrder(column, own)).toEqual(arranged);
        for (let less = 0; less < own.length; less += 1)
          expect(withOwnOrder(column, own.slice(0, less))).not.toEqual(arranged);
      }),
    );
  });

  test('stores nothing of an arrangement equal to the default order', () => {
    expect(minimalOrder(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual([]);
    expect(minimalOrder([], [])).toEqual([]);
  });

  test('stores one id for a card moved to the top', () => {
    expect(minimalOrder(['c', 'a', 'b', 'd'], ['a', 'b', 'c', 'd'])).toEqual(['c']);
  });
});

describe('a dropped card', () => {
  test.each([
    { before: 'a', becomes: ['c', 'a', 'b'] },
    { before: 'b', becomes: ['a', 'c', 'b'] },
    { before: null, becomes: ['a', 'b', 'c'] },
    { before: 'missing', becomes: ['a', 'b', 'c'] },
  ])('before $before makes the column $becomes', ({ before, becomes }) => {
    expect(placeBefore(['a', 'b', 'c'], 'c', before)).toEqual(becomes);
  });

  test('over the upper half of another goes before it, over the lower half behind it', () => {
    expect(dropBefore(['a', 'b'], 'a', 'top')).toBe('a');
    expect(dropBefore(['a', 'b'], 'a', 'bottom')).toBe('b');
    expect(dropBefore(['a', 'b'], 'b', 'bottom')).toBeNull();
  });

  test('where it was is in place, and nowhere else', () => {
    fc.assert(
      fc.property(ids(), fc.nat(), fc.nat(), (column, which, where) => {
        const id = column[which % column.length] ?? '';
        const before = column[where % (column.length + 1)] ?? null;
        const isSame = placeBefore(column, id, before === id ? after(column, id) : before);
        expect(isInPlace(column, id, before)).toBe(isSame.join() === column.join());
      }),
    );
  });

  test('is not in place in a column it moves to', () => {
    expect(isInPlace(['a'], 'new', null)).toBe(false);
  });
});

test('a move by keyboard finds the neighbors of a column except at the ends', () => {
  expect(columnBeside('intake', -1)).toBeUndefined();
  expect(columnBeside('intake', 1)).toBe('demandOfInsurance');
  expect(columnBeside('adr', 1)).toBeUndefined();
});

describe('times', () => {
  test('survive the input to the minute', () => {
    fc.assert(
      fc.property(minute(), (instant) => {
        // When clocks go back, an hour repeats, and the form keeps which of the two was meant.
        expect(toInstant(toLocalInput(instant), instant)).toBe(instant);
        expect(toLocalInput(toInstant(toLocalInput(instant)))).toBe(toLocalInput(instant));
      }),
    );
  });

  test('left untouched keep their seconds', () => {
    const stored = '2026-11-16T14:00:30.250Z';
    expect(toInstant(toLocalInput(stored), stored)).toBe(stored);
  });

  test('appear in the input with hours and minutes', () => {
    expect(toLocalInput('2026-11-16T14:00:30.250Z')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    expect(toLocalInput(new Date(2026, 0, 5, 7, 9).toISOString())).toBe('2026-01-05T07:09');
  });

  test('that are invalid are passed on to validation', () => {
    expect(toInstant('')).toBe('');
    expect(toInstant('tomorrow')).toBe('tomorrow');
    expect(toInstant('275760-09-14T00:00')).toBe('275760-09-14T00:00');
  });

  test('are shown as days with two digits each', () => {
    expect(formatDay(new Date(2027, 0, 11, 9).toISOString())).toMatch(/\b0?1\b.*\b11\b|11.*01/);
  });
});

describe('what a form changes', () => {
  const form = { ...task, assignedTo: 'u1' };
  const { name, description, startTime, endTime, case: caseId, assignedTo } = form;
  const untouched = { name, description, startTime, endTime, case: caseId, assignedTo };

  test('is empty when no field changed', () => {
    expect(changesOf(task, untouched)).toEqual({});
  });

  test('contains only the changed fields', () => {
    const touched = { ...untouched, name: 'File complaint', assignedTo: 'u2' };
    expect(changesOf(task, touched)).toEqual({ name: 'File complaint', assignedTo: 'u2' });
  });
});

function ids() {
  return fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
}

function arrangement() {
  return ids().chain((column) =>
    fc
      .shuffledSubarray(column, { minLength: column.length })
      .map((arranged) => ({ column, arranged })),
  );
}

function minute() {
  const minutes = { min: Date.UTC(1975, 0) / 60_000, max: Date.UTC(2100, 0) / 60_000 };
  return fc.integer(minutes).map((n) => new Date(n * 60_000).toISOString());
}

function after(column: string[], id: string) {
  return column[column.indexOf(id) + 1] ?? null;
}
