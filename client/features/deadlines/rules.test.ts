import { describe, expect, test } from 'vitest';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import {
  nextStepOf,
  actOf,
  dateAuthorOf,
  dayInWords,
  entryInWords,
  mayCorrect,
  queryOf,
  statusLabelOf,
} from './rules.ts';
import type { Filters, SectionQuery } from './slice.ts';

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
  enteredBy: 'rune',
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

describe('the state of a deadline', () => {
  test.each([
    ['Not verified', {}],
    ['Proposed Dec 14, 2026', { verified: stamp, pending: { ...move, by: rune, at: '' } }],
    ['Proposed Dec 14, 2026', { date: '2026-12-14' }],
    ['Change waiting', { pending: { ...move, action: 'vacate', date: null, by: rune, at: '' } }],
    ['Verified', { verified: stamp, acknowledged: stamp }],
    ['No owner', { owner: null }],
    ['No second', { second: null }],
    ['Imported, not verified', { imported: true, second: null }],
    ['Soft', { hard: false }],
    ['Done', { status: 'done' }],
  ] as const)('is “%s”', (words, own) => {
    expect(statusLabelOf({ ...deadline, ...own }).words).toBe(words);
  });

  test('keeps a proposed date from the person who is to enter it', () => {
    expect(statusLabelOf({ ...deadline, date: '2026-12-14' }, true).words).toBe('Not verified');
  });
});

describe('the act that fits a deadline', () => {
  const waiting = { pending: { ...move, by: rune, at: '' } };
  test.each([
    ['Acknowledge', true, {}, 'rune'],
    ['Verify date', true, {}, 'ama'],
    ['Verify date', true, waiting, 'ama'],
    ['Decide change', true, { ...waiting, verified: stamp }, 'ama'],
    ['Mark as met', false, { enteredBy: 'ama' }, 'ama'],
    ['Assign second', true, { acknowledged: stamp, second: null }, 'rune'],
    ['Mark as met', false, { acknowledged: stamp, verified: stamp }, 'rune'],
    ['Mark as met', false, {}, 'jun'],
    ['Open matter', false, { kind: 'limitation', verified: stamp }, 'jun'],
    ['Reopen', false, { status: 'done' }, 'rune'],
  ] as const)('is “%s”, waiting %j', (words, isWaiting, own, id) => {
    expect(actOf({ ...deadline, ...own }, reader(id))).toMatchObject({ words, isWaiting });
  });

  test('asks no one for a second person where none exists', () => {
    const own = { ...deadline, acknowledged: stamp, second: null };
    expect(actOf(own, { ...reader('rune'), isAlone: true })?.words).toBe('Mark as met');
  });

  test('is none where someone else decides, or another owns a soft one', () => {
    const own = [{ ...waiting, verified: stamp }, { hard: false }, { status: 'done' }] as const;
    expect(own.map((one) => actOf({ ...deadline, ...one }, reader('jun')))).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('is to verify for a user whom the server asks without being the second', () => {
    const asked = { ...deadline, acknowledged: stamp, second: null };
    expect(actOf({ ...asked, imported: true }, reader('jun', true), true)?.words).toBe(
      'Verify date',
    );
  });
});

test('a day has its year where it is not this year', () => {
  expect(dayInWords('2026-11-30', '2026-11-20')).toBe('Mon, Nov 30');
  expect(dayInWords('2027-02-12', '2026-11-20')).toBe('Feb 12, 2027');
});

describe('the query of a section', () => {
  const none = { owner: '', case: '', kind: '', from: '', to: '', matters: '' };
  const asked = (section: SectionQuery['section'], own: Partial<Filters> = {}) =>
    queryOf({ section, filters: { ...none, ...own }, today: '2026-11-20', limit: 1 });
  const limits = { matters: 'active', status: 'open', kind: 'limitation' };

  test.each([
    ['near', {}, { ...limits, from: '2026-11-20', to: '2027-02-18' }],
    ['near', { to: '2026-12-01' }, { ...limits, from: '2026-11-20', to: '2026-12-01' }],
    ['later', {}, { ...limits, from: '2027-02-19' }],
    ['later', { from: '2028-01-01' }, { ...limits, from: '2028-01-01' }],
    ['past', {}, { ...limits, attention: 'unverified', to: '2026-11-19' }],
    ['overdue', { matters: 'archived' }, { matters: 'archived', attention: 'overdue' }],
    [
      'next30',
      { kind: 'filing' },
      { matters: 'active', kind: 'filing', status: 'open', from: '2026-11-20', to: '2026-12-20' },
    ],
    [
      'waiting',
      { kind: 'filing', to: '2027-01-01' },
      { matters: 'active', kind: 'filing', to: '2027-01-01', attention: 'mine' },
    ],
  ] as const)('of %s with %j is %j', (section, own, query) => {
    expect(asked(section, own)).toEqual(query);
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

  test('names the person who entered the present date', () => {
    const created = entry('created', ama, dated('2026-11-30'));
    const history = [entry('seen', rune), created];
    expect(dateAuthorOf({ ...deadline, enteredBy: 'ama', history })).toEqual(ama);
    const imported = { ...deadline, enteredBy: null, history: [entry('imported', null)] };
    expect(dateAuthorOf(imported)).toBeUndefined();
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
    expect(nextStepOf({ ...warned, ...own }, { today, morning: '07:30' })).toEqual({ day, words });
  });

  test('is nothing once it is done', () => {
    const done = { ...warned, status: 'done' } as const;
    expect(nextStepOf(done, { today: '2026-11-20', morning: '07:30' })).toBe(undefined);
  });
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
