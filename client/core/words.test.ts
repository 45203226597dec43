import { describe, expect, test } from 'vitest';
import {
  counted,
  countedPage,
  dayInWords,
  distanceInWords,
  formatCount,
  hoursAhead,
  humanize,
  lengthInWords,
  formatList,
  longLength,
  momentInWords,
  plural,
  shortDay,
  whenInList,
} from './words.ts';

describe('counts', () => {
  test('have thousands separators and the right plural', () => {
    expect([0, 1, 2000].map((count) => counted(count, 'case'))).toEqual([
      '0 cases',
      '1 case',
      '2,000 cases',
    ]);
    expect(plural(2, 'person', 'people')).toBe('people');
  });

  test('say when they are capped', () => {
    expect(formatCount(148)).toBe('148');
    expect(formatCount(10_000, true)).toBe('10,000+');
    const page = { total: 10_000, totalIsCapped: true } as const;
    expect(countedPage(page, 'entry', 'entries')).toBe('10,000 or more entries');
    expect(countedPage({ total: 1 }, 'entry', 'entries')).toBe('1 entry');
  });
});

test('text joins names into a list', () => {
  expect(formatList(['SOL'])).toBe('SOL');
  expect(formatList(['SOL', 'Judge', 'Venue'])).toBe('SOL, Judge, and Venue');
  expect(formatList(['Rune Lindqvist', 'Jun Tanaka'], 'or')).toBe('Rune Lindqvist or Jun Tanaka');
});

test('text turns the names of members into words', () => {
  expect(['caseNo', 'SOL', 'clientInfo.phoneNumber'].map(humanize)).toEqual([
    'Case No',
    'SOL',
    'Client Info Phone Number',
  ]);
});

describe('spans', () => {
  test('of days are late, today or ahead', () => {
    expect([-400, -1, 0, 1, 2, 1200].map(distanceInWords)).toEqual([
      '400 days late',
      '1 day late',
      'today',
      'tomorrow',
      'in 2 days',
      'in 1,200 days',
    ]);
  });

  test('of hours end within the hour or later', () => {
    expect([0, 1, 5].map(hoursAhead)).toEqual(['within the hour', 'in 1 hour', 'in 5 hours']);
  });

  test('of minutes are short in lists', () => {
    expect([0, 52, 60, 74, 24 * 60 + 5, 73 * 60].map(lengthInWords)).toEqual([
      '0 min',
      '52 min',
      '1 h',
      '1 h 14 min',
      '24 h',
      '3 days',
    ]);
  });

  test('of minutes are whole words in forms', () => {
    expect([45, 60, 90, 121, 720].map(longLength)).toEqual([
      '45 minutes',
      '1 hour',
      '1 hour 30 minutes',
      '2 hours 1 minute',
      '12 hours',
    ]);
  });
});

describe('moments', () => {
  const now = new Date(2026, 10, 21, 12, 0, 30);
  const today = '2026-11-21';
  const at = (...when: [number, number, number, number, number]) => new Date(...when).toISOString();

  test('are relative for an hour, then have their day and time in the user’s zone', () => {
    expect(momentInWords(new Date(now.getTime() + 5000).toISOString(), now)).toBe('just now');
    expect(momentInWords(at(2026, 10, 21, 11, 58), now)).toBe('2 min ago');
    expect(momentInWords(at(2026, 10, 21, 9, 12), now)).toMatch(/^today at 0?9[:.]12/);
    expect(momentInWords(at(2026, 10, 20, 17, 40), now)).toMatch(/^yesterday at /);
    expect(momentInWords(at(2026, 10, 12, 8, 5), now)).toMatch(/^Nov 12, 2026 at 0?8[:.]05/);
  });

  test('end a row with the time, the weekday or the day', () => {
    expect(whenInList(at(2026, 10, 21, 9, 5), today)).toMatch(/^0?9[:.]05/);
    expect(whenInList(at(2026, 10, 20, 23, 59), today)).toBe('Yesterday');
    expect(whenInList(at(2026, 10, 18, 23, 59), today)).toBe('Wed');
    expect(whenInList(at(2026, 10, 13, 12, 0), today)).toBe('Nov 13');
    expect(whenInList(at(2025, 10, 13, 12, 0), today)).toBe('Nov 13, 2025');
    expect(whenInList('no date', today)).toBe('');
  });

  test('have a year only when it is another year', () => {
    expect(shortDay('2026-02-03', today)).toBe('Feb 3');
    expect(shortDay('2025-02-03', today)).toBe('Feb 3, 2025');
    expect(
      ['2026-11-21', '2026-11-20', '2026-11-13', '2025-11-20'].map((day) => dayInWords(day, today)),
    ).toEqual(['Today', 'Yesterday', 'Friday, November 13', 'Thursday, November 20, 2025']);
  });
});
