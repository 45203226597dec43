import { describe, expect, test } from 'vitest';
import type { Deadline, DeadlineWithHistory } from '@matterdesk/contract/deadlines.ts';
import { nextOf } from './rules.next.ts';
import { datedBy, entryInWords, mayCorrect, standingOf } from './rules.ts';

const [rune, ama] = [
  { id: 'rune', firstName: 'Rune', lastName: 'Lindqvist' },
  { id: 'ama', firstName: 'Ama', lastName: 'Owusu' },
];
const reader = (id: string, editsCalendar = false) => ({ id, editsCalendar });
const stamp = { by: ama, at: '2026-11-20T10:00:00.000Z' };
const move = {
  action: 'move',
  date: '2026-12-14',
  time: null,
  reason: 'Stipulated',
  proof: '',
} as const;

const deadline: Deadline = {
  id: 'one',
  title: 'Reply',
  kind: 'response',
  hard: true,
  date: '2026-11-30',
  time: null,
  timeZone: 'America/New_York',
  workingDate: null,
  case: null,
  owner: rune,
  second: ama,
  status: 'open',
  verified: null,
  acknowledged: null,
  pending: null,
  basis: null,
  effectiveDate: '2026-11-30',
  source: null,
  note: '',
  warnDays: [],
  imported: false,
  updatedAt: '2026-11-20T10:00:00.000Z',
};

describe('the state column', () => {
  test.each([
    ['Acknowledge', {}, 'rune'],
    ['Verify', {}, 'ama'],
    ['Not verified', {}, 'jun'],
    ['Verify, decide change', { pending: { ...move, by: rune, at: '' } }, 'ama'],
    ['Change waiting', { verified: stamp, pending: { ...move, by: rune, at: '' } }, 'jun'],
    ['Verified', { verified: stamp, acknowledged: stamp }, 'rune'],
    ['Acknowledge, no second', { second: null }, 'rune'],
    ['Imported, not verified', { imported: true }, 'rune'],
    ['Soft', { hard: false }, 'rune'],
    ['Done', { status: 'done' }, 'rune'],
  ] as const)('says “%s”', (words, own, id) => {
    expect(standingOf({ ...deadline, ...own }, reader(id)).words).toBe(words);
  });
});

describe('history', () => {
  const entry = (action: string, by: typeof rune | null, own: object = {}) => ({
    at: '',
    by,
    action,
    from: null,
    to: null,
    reason: '',
    hash: action,
    ...own,
  });
  const dated = (date: string) => ({ to: { date, time: null } });

  test.each([
    ['Rune Lindqvist added it: Nov 30, 2026', entry('created', rune, dated('2026-11-30'))],
    ['You entered Nov 3, 2026, which differs', entry('mismatched', ama, dated('2026-11-03'))],
    ['Rune Lindqvist proposed Dec 14, 2026', entry('proposed', rune, dated('2026-12-14'))],
    ['Rune Lindqvist proposed to vacate it', entry('proposed', rune, { to: { action: 'vacate' } })],
    [
      'Matterdesk took it from its matter: Nov 30, 2026',
      entry('imported', null, dated('2026-11-30')),
    ],
    [
      'You verified the date, without a second person',
      entry('verified', ama, { to: { withoutSecond: true } }),
    ],
    ['You changed title, owner', entry('changed', ama, { to: { title: 'X', owner_id: 'y' } })],
  ] as const)('says “%s”', (words, one) => {
    expect(entryInWords(one, reader('ama'))).toBe(words);
  });

  test('says from when to when the server was off', () => {
    const [from, to] = ['2026-11-20T18:02:00.000Z', '2026-11-23T08:15:00.000Z'];
    const words = entryInWords(entry('serverOff', null, { to: { from, to } }), reader('ama'));
    expect(words.replaceAll(/\s/g, ' ')).toMatch(
      /^Matterdesk was off from Nov 2\d, \d+:02 [AP]M to Nov 2\d, \d+:15 [AP]M when a warning was due$/,
    );
  });

  test('tells who entered the present date', () => {
    const whole = (history: DeadlineWithHistory['history']) => ({ ...deadline, history });
    const created = entry('created', ama, dated('2026-11-30'));
    expect(datedBy(whole([entry('seen', rune), created]))).toEqual(ama);
    const accepted = entry('accepted', ama, {
      from: { date: '2026-11-30' },
      ...dated('2026-12-14'),
    });
    const moved = [accepted, entry('proposed', rune, dated('2026-12-14')), created];
    expect(datedBy(whole(moved))).toEqual(rune);
    expect(datedBy(whole([entry('imported', null)]))).toBeUndefined();
  });
});

describe('what happens next', () => {
  const warned = { ...deadline, warnDays: [30, 14, 7, 0] };
  const four = 'after 4 hours without an answer, Ama Owusu';
  test.each([
    ['2026-11-20', {}, '2026-11-23', `7:30 AM: warn Rune Lindqvist; ${four}`],
    ['2026-11-25', { hard: false }, '2026-11-30', '7:30 AM: warn Rune Lindqvist'],
    ['2026-12-02', {}, '2026-12-03', '7:30 AM: warn Rune Lindqvist again'],
    ['2026-11-20', { imported: true }, null, 'No warnings until someone verifies the date'],
  ])('on %s with %j is on %s', (today, own, day, words) => {
    expect(nextOf({ ...warned, ...own }, { today, morning: '07:30' })).toEqual({ day, words });
  });

  test('is nothing once it is done', () => {
    const done = { ...warned, status: 'done' } as const;
    expect(nextOf(done, { today: '2026-11-20', morning: '07:30' })).toBe(undefined);
  });
});

test('a user for whom an unverified date waits is asked to verify it', () => {
  const alone = { ...deadline, second: null };
  expect(standingOf(alone, reader('jun', true), true).words).toBe('Verify');
});

test('an unverified date is corrected by its author, its owner and editors of the calendar', () => {
  const entry = { from: null, to: { date: '2026-11-30' }, reason: '', hash: '', at: stamp.at };
  const jun = { id: 'jun', firstName: 'Jun', lastName: 'Tanaka' };
  const history = [{ ...entry, action: 'created', by: jun }];
  const may = (id: string, edits = false) =>
    mayCorrect({ ...deadline, history }, reader(id, edits));
  expect([may('jun'), may('rune'), may('ama'), may('ama', true)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(mayCorrect({ ...deadline, history, verified: stamp }, reader('rune'))).toBe(false);
});
