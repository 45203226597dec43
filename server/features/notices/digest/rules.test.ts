import { describe, expect, test } from 'vitest';
import { bodyOf, dueDigest, titleOf } from './rules.ts';

const firm = { timeZone: 'America/New_York', morning: '07:30' };
const due = (now: string) => dueDigest(new Date(now), firm);

describe('a digest', () => {
  test('is due from the morning of the firm until six in the evening', () => {
    expect(due('2027-02-03T12:29:00Z')).toBeUndefined();
    const day = { day: '2027-02-03', at: new Date('2027-02-03T12:30:00Z'), isWorkday: true };
    expect(due('2027-02-03T12:30:00Z')).toEqual(day);
    expect(due('2027-02-03T22:59:00Z')).toEqual(day);
    expect(due('2027-02-03T23:00:00Z')).toBeUndefined();
  });

  test('follows the clock when it changes, and knows the weekend', () => {
    const morning = new Date('2027-03-14T11:30:00Z');
    expect(due('2027-03-14T11:29:00Z')).toBeUndefined();
    expect(due('2027-03-14T11:30:00Z')).toEqual({
      day: '2027-03-14',
      at: morning,
      isWorkday: false,
    });
    expect(due('2027-02-06T15:00:00Z')?.isWorkday).toBe(false);
  });

  test('says in words what the day brings', () => {
    const none = { items: 0, deadlines: 0, tasks: 0, waiting: 0, noNextDate: 0 };
    expect(titleOf(none)).toBe('Nothing is due today');
    expect(titleOf({ items: 1, deadlines: 2, tasks: 1, waiting: 3, noNextDate: 1 })).toBe(
      'Today: 1 event, 2 deadlines, 1 task, 3 waiting for you',
    );
    expect([0, 1, 2].map((noNextDate) => bodyOf({ ...none, noNextDate }))).toEqual([
      '',
      '1 matter has no next date.',
      '2 matters have no next date.',
    ]);
  });
});
