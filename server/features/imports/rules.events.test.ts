import { describe, expect, test } from 'vitest';
import { kindOf, timesOf } from './rules.events.ts';

const clock = { dates: 'mdy', timeZone: 'America/New_York' } as const;

describe('an event of another system', () => {
  test('has the kind that its word says', () => {
    const words = [
      'Bench trial',
      'Depo of Dr. Ng',
      'Motion hearing',
      'Client meeting',
      'Court',
      '',
    ];
    expect(words.map(kindOf)).toEqual([
      'trial',
      'deposition',
      'hearing',
      'meeting',
      'courtDate',
      'other',
    ]);
  });

  test('is all day by its word or its days, and else has times', () => {
    expect(timesOf({ start: '01/02/2027', end: '01/03/2027' }, clock)).toEqual({
      start: '2027-01-02',
      end: '2027-01-03',
    });
    const midnight = { start: '01/02/2027 12:00 AM', end: '01/02/2027 12:00 AM' };
    expect(timesOf({ ...midnight, allDay: 'true' }, clock)).toEqual({
      start: '2027-01-02',
      end: '2027-01-02',
    });
    expect(timesOf({ start: '01/02/2027 9:00 AM' }, clock)).toEqual({
      start: '2027-01-02T14:00:00.000Z',
      end: '2027-01-02T14:00:00.000Z',
    });
  });

  test('ends on the day of its start where only the time of its end is written', () => {
    const cells = { start: '01/02/2027', startTime: '9:00 AM', endTime: '10:00 AM' };
    expect(timesOf(cells, clock)).toEqual({
      start: '2027-01-02T14:00:00.000Z',
      end: '2027-01-02T15:00:00.000Z',
    });
    expect(timesOf({ ...cells, endTime: 'noonish' }, clock)).toEqual({
      field: 'endTime',
      message: '“noonish” is not a date',
    });
    expect(timesOf({ end: '01/02/2027 9:00 AM' }, clock)).toEqual({
      field: 'start',
      message: 'The date is empty',
    });
  });
});
