import { describe, expect, test } from 'vitest';
import type { Actor } from '../../core/actor.ts';
import type { DeadlineState } from '../../db/schema-deadlines.ts';
import { difference, dueAt, effectiveMoment, permits } from './rules.ts';

const at = (date: string, time: string | null = null) => ({ date, time });
const NEW_YORK = 'America/New_York';

describe('the date in effect', () => {
  const dated = {
    ...at('2027-03-03', '17:00'),
    time_zone: NEW_YORK,
    floor_date: null,
    pending: null,
  };
  const move = (date: string, time: string | null) =>
    ({ action: 'move', date, time, reason: '', proof: '', by: '', at: '' }) as const;

  test.each([
    ['its own', {}, at('2027-03-03', '17:00')],
    ['an earlier proposal', { pending: move('2027-03-01', null) }, at('2027-03-01')],
    ['an earlier time', { pending: move('2027-03-03', '09:00') }, at('2027-03-03', '09:00')],
    [
      'its own before a later proposal',
      { pending: move('2027-04-01', null) },
      at('2027-03-03', '17:00'),
    ],
    [
      'its own before the end of that day',
      { pending: move('2027-03-03', null) },
      at('2027-03-03', '17:00'),
    ],
    ['the one before it was changed', { floor_date: '2027-02-01' }, at('2027-02-01')],
  ])('is %s', (_, own, moment) => expect(effectiveMoment({ ...dated, ...own })).toEqual(moment));
});

describe('a deadline', () => {
  test.each([
    ['at the end of the day, in the court’s zone', at('2027-03-03'), NEW_YORK, '2027-03-04T05:00'],
    ['at a time', at('2027-07-01', '17:00'), NEW_YORK, '2027-07-01T21:00'],
    ['at the end of a day of 23 hours', at('2027-03-14'), NEW_YORK, '2027-03-15T04:00'],
    ['at a time that clocks leave out', at('2027-03-14', '02:30'), NEW_YORK, '2027-03-14T07:30'],
    ['at the first of two equal times', at('2027-11-07', '01:30'), NEW_YORK, '2027-11-07T05:30'],
    ['far in the east', at('2027-03-03'), 'Pacific/Kiritimati', '2027-03-03T10:00'],
  ])('falls %s', (_, moment, zone, instant) =>
    expect(dueAt(moment, zone).toISOString()).toBe(`${instant}:00.000Z`),
  );
});

test('two dates differ in words', () => {
  expect(difference(at('2027-03-03'), at('2027-03-05'))).toBe(
    'The dates differ: Mar 3, 2027 and Mar 5, 2027',
  );
  expect(difference(at('2027-03-03', '17:00'), at('2027-03-03'))).toBe(
    'The times differ: 5:00 PM and end of the day',
  );
  expect(difference(at('2027-03-03', '17:00'), at('2027-03-03', '17:00'))).toBeUndefined();
});

describe('permissions', () => {
  const stranger = { id: 'stranger', permissions: { editCalendar: false } } as Actor;
  const as = (id: string) => ({ ...stranger, id });
  const editor = { id: 'editor', permissions: { editCalendar: true } } as Actor;
  const row = {
    hard: true,
    owner_id: 'owner',
    second_id: 'second',
    author_id: 'author',
    dated_by: 'author',
    pending: null,
  };
  const dual = { isDualControl: true, members: [] };
  const single = { isDualControl: false, members: [] };

  test('the author corrects the date only, owner and calendar editors change everything', () => {
    const allows = (actor: Actor, ...members: string[]) =>
      permits.change(actor, row, { ...dual, members });
    expect(allows(as('author'), 'date', 'time', 'reason')).toBe(true);
    expect(allows(as('author'), 'date', 'title')).toBe(false);
    expect(allows(as('owner'), 'title') && allows(editor, 'title')).toBe(true);
    expect(allows(as('second'), 'title')).toBe(false);
  });

  test('under dual control the person who entered a hard date does not verify it', () => {
    expect(permits.verify(as('author'), row, dual)).toBe(false);
    expect(permits.verify(as('author'), row, single)).toBe(true);
    expect(permits.verify(as('author'), { ...row, hard: false }, dual)).toBe(true);
    expect(permits.verify(stranger, row, dual)).toBe(true);
  });

  test('the owner acknowledges, or without an owner anyone who decides', () => {
    expect(permits.acknowledge(as('owner'), row)).toBe(true);
    expect(permits.acknowledge(editor, row)).toBe(false);
    expect(permits.acknowledge(as('second'), { ...row, owner_id: null })).toBe(true);
    expect(permits.acknowledge(stranger, { ...row, owner_id: null })).toBe(false);
  });

  test('anyone proposes a change that another person decides, and no one decides their own', () => {
    expect(permits.propose(stranger, row, dual)).toBe(true);
    expect(permits.propose(stranger, row, single)).toBe(false);
    expect(permits.propose(as('second'), { ...row, hard: false }, dual)).toBe(false);
    const pending = { by: 'second' } as DeadlineState['pending'];
    expect(permits.decide(as('second'), { ...row, pending }, dual)).toBe(false);
    expect(permits.decide(as('second'), { ...row, pending }, single)).toBe(true);
    expect(permits.decide(as('owner'), { ...row, pending }, dual)).toBe(true);
    expect(permits.decide(stranger, { ...row, pending }, dual)).toBe(false);
  });
});
