import { describe, expect, test } from 'vitest';
import type { Notice } from '@matterdesk/contract/notices.ts';
import { addressOf, mailNote, noteOf } from './rules.ts';

const at = new Date(2027, 1, 3, 9, 0);
const notice: Notice = {
  id: 'n1',
  type: 'reminder',
  title: 'Hearing',
  at: at.toISOString(),
  item: {
    type: 'event',
    id: 'e1',
    case: { id: 'c1', caseName: 'Doe v. Roe' },
    start: new Date(2027, 1, 3, 10, 0).toISOString(),
  },
  seenAt: null,
  mailed: null,
  missed: false,
};

describe('a notice in words', () => {
  test('names the matter, the start and when it was due', () => {
    expect(noteOf(notice, '2027-02-03').replaceAll(/\s/g, ' ')).toBe(
      'Doe v. Roe · Starts 10:00 AM · 9:00 AM',
    );
  });

  test('says that it was missed, and another day', () => {
    const words = noteOf({ ...notice, missed: true, item: null }, '2027-02-05');
    expect(words.replaceAll(/\s/g, ' ')).toBe('Missed at Feb 3, 9:00 AM: the server was off');
  });

  test('says that no mail is set up', () => {
    expect(mailNote({ ...notice, mailed: 'no' })).toBe('Not e-mailed: no mail is set up');
    expect(mailNote({ ...notice, mailed: 'sent' })).toBeUndefined();
  });
});

test('a notice leads to the day of its event, its deadline, its matter, or the account', () => {
  expect(addressOf(notice)).toBe('/dashboard/calender?view=day&date=2027-02-03&event=e1');
  const deadline = { type: 'deadline' as const, id: 'd1', case: null, start: '2027-03-03' };
  expect(addressOf({ ...notice, item: deadline })).toBe(
    '/dashboard/calender?view=deadlines&deadline=d1',
  );
  const access = { ...notice, type: 'access' as const };
  const matter = { type: 'case' as const, id: 'c1', case: null, start: notice.at };
  expect(addressOf({ ...access, item: matter })).toBe('/dashboard/caseDetails/c1?access=1');
  expect(addressOf({ ...access, item: { ...matter, type: 'intake', id: 'i1' } })).toBe(
    '/dashboard/intakes?intake=i1',
  );
  expect(addressOf({ ...access, item: null })).toBeUndefined();
  expect(addressOf({ ...notice, type: 'account', item: null })).toBe('/dashboard/account');
});
