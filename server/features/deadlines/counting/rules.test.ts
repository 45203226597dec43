import { describe, expect, test } from 'vitest';
import { federalHolidays } from '../../../db/migrations/federal-holidays.ts';
import { countDate, type Court, type Span } from './rules.ts';

const years = Array.from({ length: 40 }, (_, index) => 2000 + index);
const shipped = years.flatMap(federalHolidays).map((day) => ({ ...day, forwardOnly: false }));
const federal: Court = { name: 'Federal', weekend: [6, 7], holidays: shipped };
/** Patriots’ Day, a holiday of the state alone. */
const massachusetts: Court = {
  ...federal,
  holidays: [...shipped, { date: '2008-04-21', name: 'Patriots’ Day', forwardOnly: true }],
};

function count(date: string, days: number, own: Partial<Span> = {}, court = federal) {
  return countDate(court, { date, count: days, unit: 'days', direction: 'after', ...own });
}
const before = { direction: 'before' } as const;

describe('the examples of the committee notes', () => {
  test.each([
    // FRCP 6(a), note of 2009.
    ['10 days after August 22, 2007', count('2007-08-22', 10), '2007-09-04'],
    ['10 days before September 11, 2007', count('2007-09-11', 10, before), '2007-08-31'],
    [
      '14 days after, up to a state holiday',
      count('2008-04-07', 14, {}, massachusetts),
      '2008-04-22',
    ],
    [
      '14 days before, down to a state holiday',
      count('2008-05-05', 14, before, massachusetts),
      '2008-04-21',
    ],
    // FRCP 6(e), note of 2005: three days follow the end of the period, wherever it falls.
    [
      '30 days to a Saturday, a holiday on Monday, and mail',
      count('2026-08-06', 30, { service: 3 }),
      '2026-09-11',
    ],
    ['30 days to a Friday, and mail', count('2026-09-02', 30, { service: 3 }), '2026-10-05'],
    [
      '30 days to a Friday, and mail to a holiday',
      count('2026-09-09', 30, { service: 3 }),
      '2026-10-13',
    ],
  ])('%s', (_, counted, date) => expect(counted.date).toBe(date));
});

describe('counting', () => {
  test.each([
    ['to the day after Thanksgiving', count('2016-11-18', 7), '2016-11-25'],
    ['the same by mail', count('2016-11-18', 7, { service: 3 }), '2016-11-28'],
    ['from the eve of Juneteenth', count('2026-06-18', 3), '2026-06-22'],
    ['13 and 3 days, which are not 16', count('2027-02-02', 13, { service: 3 }), '2027-02-19'],
    ['16 days', count('2027-02-02', 16), '2027-02-18'],
    ['no day at all, from a Sunday', count('2026-06-21', 0), '2026-06-22'],
    ['weeks', count('2026-06-04', 2, { unit: 'weeks' }), '2026-06-18'],
    ['a month from January 31', count('2029-01-31', 1, { unit: 'months' }), '2029-02-28'],
    [
      'a month back from March 31',
      count('2026-03-31', 1, { ...before, unit: 'months' }),
      '2026-02-27',
    ],
    ['a year from February 29', count('2028-02-29', 1, { unit: 'years' }), '2029-02-28'],
    ['court days over a weekend', count('2026-06-17', 3, { unit: 'courtDays' }), '2026-06-23'],
    ['court days back', count('2026-06-23', 3, { ...before, unit: 'courtDays' }), '2026-06-17'],
    ['service days back', count('2026-06-30', 5, { ...before, service: 5 }), '2026-06-18'],
    ['without a roll', count('2026-06-18', 3, { roll: 'none' }), '2026-06-21'],
    [
      'forwards before an event',
      count('2007-09-11', 10, { ...before, roll: 'forwards' }),
      '2007-09-04',
    ],
    ['backwards after an event', count('2026-06-18', 3, { roll: 'backwards' }), '2026-06-18'],
  ])('%s', (_, counted, date) => expect(counted.date).toBe(date));

  test('keeps a state holiday out of court days before an event', () => {
    const own = { ...before, unit: 'courtDays' } as const;
    expect(count('2008-04-22', 1, own, massachusetts).date).toBe('2008-04-21');
    expect(count('2008-04-18', 1, { unit: 'courtDays' }, massachusetts).date).toBe('2008-04-22');
  });

  test('shows every line with its rule', () => {
    const words = { trigger: 'Served by mail', authority: 'FRCP 12(a)(1)(B)' };
    const span = {
      date: '2026-11-05',
      count: 21,
      unit: 'days',
      direction: 'after',
      service: 3,
    } as const;
    expect(countDate(federal, span, words)).toEqual({
      date: '2026-11-30',
      lines: [
        { text: 'Served by mail: not counted', authority: 'FRCP 6(a)(1)(A)', date: '2026-11-05' },
        { text: '+ 21 days', authority: 'FRCP 12(a)(1)(B)', date: '2026-11-26' },
        {
          text: 'Thanksgiving Day, next court day',
          authority: 'FRCP 6(a)(1)(C)',
          date: '2026-11-27',
        },
        { text: '+ 3 days for service', authority: 'FRCP 6(d)', date: '2026-11-30' },
      ],
      warnings: [],
    });
  });

  test('warns of an observed holiday and of a year without holidays', () => {
    expect(count('2026-06-26', 7)).toMatchObject({
      date: '2026-07-06',
      warnings: [
        'Jul 3, 2026 was skipped as Independence Day (observed): check the court’s calendar',
      ],
    });
    expect(count('2050-01-03', 1).warnings).toEqual([
      'Federal has no holidays for 2050: check them yourself',
    ]);
  });
});

describe('federal holidays', () => {
  test('are those of the statute, with the days on which they are observed', () => {
    const days = new Map(federalHolidays(2027).map(({ name, date }) => [name, date]));
    expect(Object.fromEntries(days)).toEqual({
      'New Year’s Day': '2027-01-01',
      'Birthday of Martin Luther King, Jr.': '2027-01-18',
      'Washington’s Birthday': '2027-02-15',
      'Memorial Day': '2027-05-31',
      'Juneteenth National Independence Day': '2027-06-19',
      'Juneteenth National Independence Day (observed)': '2027-06-18',
      'Independence Day': '2027-07-04',
      'Independence Day (observed)': '2027-07-05',
      'Labor Day': '2027-09-06',
      'Columbus Day': '2027-10-11',
      'Veterans Day': '2027-11-11',
      'Thanksgiving Day': '2027-11-25',
      'Christmas Day': '2027-12-25',
      'Christmas Day (observed)': '2027-12-24',
    });
  });

  test('of a year can be observed in the year before', () => {
    expect(federalHolidays(2028)).toContainEqual({
      date: '2027-12-31',
      name: 'New Year’s Day (observed)',
    });
  });

  test('have no Juneteenth before it was one', () => {
    expect(
      federalHolidays(2020)
        .map(({ name }) => name)
        .join(),
    ).not.toContain('Juneteenth');
  });
});
