import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formOf, parseDay, parseMoment } from './dates.ts';

const days = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2049-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

test('a day that is written in a file’s form is read as that day', () => {
  fc.assert(
    fc.property(days, fc.constantFrom('/', '-', '.'), fc.boolean(), (day, sign, isShort) => {
      const [year = '', month = '', date = ''] = day.split('-');
      const [m, d] = isShort ? [String(Number(month)), String(Number(date))] : [month, date];
      const y = isShort ? year.slice(2) : year;
      expect(parseDay([m, d, y].join(sign), 'mdy')).toBe(day);
      expect(parseDay([d, m, y].join(sign), 'dmy')).toBe(day);
      for (const form of ['ymd', 'mdy', 'dmy'] as const) {
        expect(parseDay([year, m, d].join(sign), form)).toBe(day);
        expect(parseDay(` ${day}T10:00:00Z`, form)).toBe(day);
        expect(parseDay(year + month + date, form)).toBe(day);
        const name = MONTHS[Number(month) - 1] ?? '';
        expect(parseDay(`${name} ${d}, ${year}`, form)).toBe(day);
        expect(parseDay(`${d}-${name.slice(0, 3)}-${y}`, form)).toBe(day);
        expect(parseDay(`Mon, ${d} ${name} ${year}`, form)).toBe(day);
      }
    }),
  );
});

test('a day in another order than that of the file is no day, unless it says its order', () => {
  expect(parseDay('25/12/2024', 'mdy')).toBeNull();
  expect(parseDay('12/25/2024', 'dmy')).toBeNull();
  expect(parseDay('2024-12-25', 'dmy')).toBe('2024-12-25');
});

test.each(['', '-', 'TBD', '0000-00-00', '00/00/0000', '2/30/2024', '1/2', '13 o’clock', '1e3'])(
  '%j is no day',
  (text) => {
    for (const form of ['ymd', 'mdy', 'dmy'] as const) expect(parseDay(text, form)).toBeNull();
  },
);

test('no text makes the readers fail, and what they read is real', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[\d/:.T -]{0,25}$/)),
      fc.constantFrom('ymd' as const, 'mdy' as const, 'dmy' as const),
      (text, form) => {
        const day = parseDay(text, form);
        expect(day && new Date(day).toISOString().slice(0, 10)).toBe(day);
        const moment = parseMoment(text, { form, timeZone: 'America/New_York' });
        expect(moment && new Date(moment).toISOString()).toBe(moment);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['1/5/2024 3:30 PM', '2024-01-05T20:30:00.000Z'],
  ['1/5/2024, 3:30:05 p.m.', '2024-01-05T20:30:05.000Z'],
  ['01/05/24 12:00 AM', '2024-01-05T05:00:00.000Z'],
  ['Jan 5, 2024 at 3pm', '2024-01-05T20:00:00.000Z'],
  ['2024-01-05 15:30', '2024-01-05T20:30:00.000Z'],
  ['2024-01-05', '2024-01-05T05:00:00.000Z'],
  ['2024-01-05T15:30:00.123Z', '2024-01-05T15:30:00.000Z'],
  ['2024-01-05T15:30:00+02:00', '2024-01-05T13:30:00.000Z'],
  ['2024-01-05T15:30:00Z[UTC]', '2024-01-05T15:30:00.000Z'],
  ['Fri, 5 Jan 2024 15:30:00 -0500', '2024-01-05T20:30:00.000Z'],
  ['Fri, 5 Jan 2024 15:30:00 +0000 (UTC)', '2024-01-05T15:30:00.000Z'],
  ['Fri, 5 Jan 2024 15:30:00 PST', '2024-01-05T23:30:00.000Z'],
  // A time that clocks skip.
  ['3/10/2024 2:30 AM', '2024-03-10T07:30:00.000Z'],
])('%s in New York is %s', (text, expected) => {
  expect(parseMoment(text, { form: 'mdy', timeZone: 'America/New_York' })).toBe(expected);
});

test.each([
  '1/5/2024 25:00',
  '1/5/2024 13:00 PM',
  '1/5/2024 x',
  '10:30',
  '1/5/2024 7',
  '1/5/2024 10:60',
])('%j is no moment', (text) => {
  expect(parseMoment(text, { form: 'mdy', timeZone: 'UTC' })).toBeNull();
});

test('the form of a column is that of its dates', () => {
  expect(formOf(['1/2/2024', '3/25/2024'])).toBe('mdy');
  expect(formOf(['1/2/2024', '25/3/2024', '26/3/2024', '3/27/2024'])).toBe('dmy');
  expect(formOf(['2024-01-02', '2024-03-25'])).toBe('ymd');
  expect(formOf(['1.2.2024'])).toBe('dmy');
  expect(formOf(['1/2/2024'])).toBe('mdy');
  expect(formOf(['', 'x'])).toBe('mdy');
});
