import { describe, expect, test } from 'vitest';
import { morningOf, nowAt } from '../../core/dates.ts';
import * as rules from './rules.ts';

const firm = { timeZone: 'America/New_York', morning: '07:30' };

describe('a morning', () => {
  test('follows the clocks of the firm', () => {
    expect(morningOf('2027-03-13', firm).toISOString()).toBe('2027-03-13T12:30:00.000Z');
    expect(morningOf('2027-03-14', firm).toISOString()).toBe('2027-03-14T11:30:00.000Z');
    expect(morningOf('2027-11-07', firm).toISOString()).toBe('2027-11-07T12:30:00.000Z');
  });

  test('that the clocks skip is that much later, and of two it is the first', () => {
    const early = (day: string, morning: string) =>
      morningOf(day, { ...firm, morning }).toISOString();
    expect(early('2027-03-14', '02:30')).toBe('2027-03-14T07:30:00.000Z');
    expect(early('2027-11-07', '01:30')).toBe('2027-11-07T05:30:00.000Z');
  });

  test('is on the day of the firm, not of the server', () => {
    const { day, time } = nowAt(new Date('2027-01-01T04:59:00Z'), firm.timeZone);
    expect([day, time]).toEqual(['2026-12-31', '23:59']);
  });
});

describe('a reminder of a whole day', () => {
  test('is due before the morning, whole days on the calendar', () => {
    const due = (minutes: number) => rules.dueBefore('2027-03-15', minutes, firm).toISOString();
    expect(due(0)).toBe('2027-03-15T11:30:00.000Z');
    expect(due(60)).toBe('2027-03-15T10:30:00.000Z');
    // The clocks move forward between the two mornings.
    expect(due(2880)).toBe('2027-03-13T12:30:00.000Z');
  });
});

describe('missed notices', () => {
  const missed = (user_id: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ user_id, missed: true, at: new Date(n) }));

  test('of one person come as one when there are more than twenty', () => {
    const { single, many } = rules.gatherMissed([...missed('ada', 20), ...missed('ben', 21)]);
    expect(single.map(({ user_id: id }) => id)).toEqual(Array(20).fill('ada'));
    expect([...many].map(([id, found]) => [id, found.length])).toEqual([['ben', 21]]);
  });

  test('leave the others alone', () => {
    const fresh = { user_id: 'ben', missed: false, at: new Date() };
    const { single } = rules.gatherMissed([...missed('ben', 30), fresh]);
    expect(single).toEqual([fresh]);
  });
});
