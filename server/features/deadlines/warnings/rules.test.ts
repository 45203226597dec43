import { describe, expect, test } from 'vitest';
import { defaultWarnDays } from '@matterdesk/contract/deadlines.ts';
import { decide, type Progress, type WarnedDeadline } from './rules.ts';

const firm = { timeZone: 'America/New_York', morning: '07:30' };
const none: Progress = {
  about: '',
  warned_days: null,
  warned_at: null,
  step: 0,
  repeated_on: null,
};
/** The end of March 31, 2027 in New York. */
const march31: WarnedDeadline = {
  date: '2027-03-31',
  dueAt: new Date('2027-04-01T04:00:00Z'),
  isOpen: true,
  hard: true,
  isSilent: false,
  warnDays: defaultWarnDays.hard,
  isAcknowledged: false,
  owner: 'ada',
  hasOwner: true,
  hasSecond: true,
};

type Story = { from: string; until: string; acknowledges?: boolean };

/** Acts between two instants, each as `day time action to`. */
function play(warned: WarnedDeadline, { from, until, acknowledges = false }: Story): string[] {
  const acts: string[] = [];
  let progress = none;
  let now = new Date(from);
  for (let looks = 0; looks < 200; looks += 1) {
    const outcome = decide(warned, progress, { now, firm });
    progress = outcome.progress;
    const { act, lookAt } = outcome;
    if (act) {
      const wall = now.toLocaleString('sv', { timeZone: firm.timeZone }).slice(5, 16);
      acts.push(`${wall} ${act.action} ${act.to.join('+')}`);
      warned = { ...warned, isAcknowledged: acknowledges };
    }
    if (!lookAt || lookAt > new Date(until)) return acts;
    now = lookAt > now ? lookAt : new Date(now.getTime() + 1);
  }
  throw new Error('looks without end');
}

describe('a hard deadline', () => {
  test('warns its owner on its days, at the firm’s morning, across a change of clocks', () => {
    const story = { from: '2027-01-01T12:00:00Z', until: '2027-03-31T20:00:00Z' };
    expect(play(march31, { ...story, acknowledges: true })).toEqual([
      '03-01 07:30 warned owner',
      '03-17 07:30 warned owner',
      '03-24 07:30 warned owner',
      '03-28 07:30 warned owner',
      '03-30 07:30 warned owner',
      '03-31 07:30 warned owner',
    ]);
  });

  test('goes to the second after a day, then to all who edit the calendar, then each morning', () => {
    const acts = play(march31, { from: '2027-02-01T12:00:00Z', until: '2027-03-05T13:00:00Z' });
    expect(acts).toEqual([
      '03-01 07:30 warned owner',
      '03-02 07:30 escalated second',
      '03-03 07:30 escalated editors',
      '03-04 07:30 reminded owner+second+editors',
      '03-05 07:30 reminded owner+second+editors',
    ]);
  });

  test('waits four hours with a week left, and one on its last day', () => {
    const week = play(march31, { from: '2027-03-24T11:30:00Z', until: '2027-03-24T23:00:00Z' });
    expect(week).toEqual([
      '03-24 07:30 warned owner',
      '03-24 11:30 escalated second',
      '03-24 15:30 escalated editors',
    ]);
    const last = play(march31, { from: '2027-03-31T11:30:00Z', until: '2027-03-31T20:00:00Z' });
    expect(last.map((act) => act.slice(6))).toEqual([
      '07:30 warned owner',
      '08:30 escalated second',
      '09:30 escalated editors',
    ]);
  });

  test('warns both at once without an active owner, and skips a missing second', () => {
    const story = { from: '2027-03-01T12:30:00Z', until: '2027-03-03T12:30:00Z' };
    expect(play({ ...march31, hasOwner: false }, story)[0]).toBe(
      '03-01 07:30 warned second+editors',
    );
    expect(play({ ...march31, hasSecond: false }, story).slice(0, 2)).toEqual([
      '03-01 07:30 warned owner',
      '03-02 07:30 escalated editors',
    ]);
  });

  test('that is overdue says so each morning to everyone', () => {
    const story = { from: '2027-04-01T04:00:01Z', until: '2027-04-02T12:00:00Z' };
    expect(play(march31, story)).toEqual([
      '04-01 07:30 overdue owner+second+editors',
      '04-02 07:30 overdue owner+second+editors',
    ]);
  });

  test('of several missed warnings raises the nearest', () => {
    const story = { from: '2027-03-25T15:00:00Z', until: '2027-03-25T16:00:00Z' };
    expect(play(march31, story)).toEqual(['03-25 11:00 warned owner']);
  });
});

describe('other deadlines', () => {
  test('soft ones warn on their days and wait for no one', () => {
    const soft = { ...march31, hard: false, warnDays: defaultWarnDays.soft };
    const story = { from: '2027-01-01T12:00:00Z', until: '2027-04-01T12:00:00Z' };
    expect(play(soft, story)).toEqual([
      '03-28 07:30 warned owner',
      '03-31 07:30 warned owner',
      '04-01 07:30 overdue owner',
    ]);
  });

  test('imported ones go no further than their owner until someone verifies them', () => {
    const story = { from: '2027-03-30T12:00:00Z', until: '2027-06-01T12:00:00Z' };
    expect(play({ ...march31, isSilent: true }, story)).toEqual([
      '03-30 08:00 warned owner',
      '03-31 07:30 warned owner',
    ]);
  });

  test('that are closed are silent', () => {
    const closed = { ...march31, isOpen: false };
    expect(decide(closed, none, { now: new Date(), firm }).lookAt).toBeNull();
  });
});
