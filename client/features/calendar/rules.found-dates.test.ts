import { expect, test } from 'vitest';
import { findDates } from './rules.found-dates.ts';

const TODAY = '2026-11-22';

test.each([
  ['The hearing is set for Tuesday, March 2, 2027 at 9:30 a.m.', 'hearing', '2027-03-02', '09:30'],
  ['Deposition of Dr. Roe: 01/15/2027, 1 PM, our office', 'deposition', '2027-01-15', '13:00'],
  ['Trial begins Jan. 4th', 'trial', '2027-01-04', null],
  ['On Dec 12\nthe court holds a status conference', 'courtDate', '2026-12-12', null],
  ['Mediation: Sept. 3, 2027, 12:15 p.m.', 'mediation', '2027-09-03', '12:15'],
  ['No trial yet, but the hearing is on May 5, 2027', 'hearing', '2027-05-05', null],
])('the reader of dates finds the date in “%s”', (text, kind, day, time) => {
  expect(findDates(text, TODAY)).toEqual([{ kind, day, time }]);
});

test('the reader of dates leaves other dates, those that are over, those that do not exist, and what is quoted', () => {
  const texts = [
    'The invoice of March 2, 2027 is attached',
    'The hearing of March 2, 2026 went well',
    'The hearing is on February 30, 2027',
    '> The hearing is on March 2, 2027',
  ];
  for (const text of texts) expect(findDates(text, TODAY)).toEqual([]);
});

test('the reader of dates names a date once, and at most three', () => {
  const twice = 'Hearing on March 2, 2027. Again: the hearing is on 3/2/2027.';
  expect(findDates(twice, TODAY)).toHaveLength(1);
  const many = Array.from({ length: 9 }, (_, at) => `hearing on March ${at + 1}, 2027`).join('\n');
  expect(findDates(many, TODAY)).toHaveLength(3);
});
