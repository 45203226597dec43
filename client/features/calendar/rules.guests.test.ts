import { describe, expect, test } from 'vitest';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import {
  invitedInWords,
  pendingOf,
  questionInWords,
  questionOf,
  questionOfUndo,
} from './rules.guests.ts';

type Guest = CalendarEvent['guests'][number];
type State = NonNullable<Guest['invited']>['state'];

function guest(email: string, sequence: number | null = null, state: State = 'sent'): Guest {
  const invited = sequence === null ? null : { sequence, at: '2027-01-01T00:00:00.000Z', state };
  return { name: '', email, invited };
}

function eventWith(guests: Guest[], own: Partial<CalendarEvent> = {}) {
  return { title: 'Mediation', cancelled: false, sequence: 1, guests, ...own } as CalendarEvent;
}

const words = (before: CalendarEvent | null, after: CalendarEvent) => {
  const question = questionOf(before, after);
  return question && questionInWords(question);
};

describe('after a change', () => {
  test('asks whether to send it to the guests who were invited', () => {
    const guests = [guest('ann@a.example', 0), guest('bob@a.example', 0), guest('cy@a.example')];
    const before = eventWith(guests, { sequence: 0 });
    const moved = eventWith(guests, { start: '2027-02-03T16:00:00.000Z' });
    expect(words(before, moved)).toBe('Send the change to 2 guests?');
    expect(words(before, eventWith(guests, { notes: 'x' }))).toBeNull();
    expect(words(before, eventWith(guests, { cancelled: true }))).toBe(
      'Send the change to 2 guests?',
    );
  });

  test('does not ask about a cancellation that was sent with the act', () => {
    const before = eventWith([guest('ann@a.example', 0), guest('bob@a.example', 0)]);
    const informed = [guest('ann@a.example', 1), guest('bob@a.example', 1, 'failed')];
    const canceled = eventWith(informed, { cancelled: true });
    expect(questionOf(before, canceled)?.guests.map(({ email }) => email)).toEqual([
      'bob@a.example',
    ]);
  });

  test('asks only about guests who were added or removed, and about those of a new event', () => {
    const ann = guest('ann@a.example', 0);
    const before = eventWith([ann, guest('bob@a.example')]);
    expect(words(before, eventWith([ann, guest('cy@a.example')]))).toBe(
      'Send the invitation to 1 guest?',
    );
    expect(questionOf(before, eventWith([]))?.guests).toEqual([ann]);
    expect(words(null, eventWith([guest('a@a.example'), guest('b@a.example')]))).toBe(
      'Send the invitation to 2 guests?',
    );
    expect(words(null, eventWith([]))).toBeNull();
  });
});

test('after an undone change asks only about guests to whom the change was sent', () => {
  const [ann, bob] = [guest('ann@a.example', 0), guest('bob@a.example', 0)];
  const invited = { sequence: 1, at: '2027-01-02T00:00:00.000Z', state: 'sent' } as const;
  const before = eventWith([ann, bob], { sequence: 0 });
  expect(questionOfUndo(before, eventWith([ann, bob], { sequence: 2 }))).toBeNull();
  const after = eventWith([{ ...ann, invited }, bob], { sequence: 2 });
  expect(questionOfUndo(before, after)?.guests.map(({ email }) => email)).toEqual([ann.email]);
});

test('an event’s card says who lacks the newest version of an event', () => {
  const guests = [
    guest('ann@a.example', 1),
    guest('bob@a.example', 0),
    guest('cy@a.example', 1, 'failed'),
    guest('di@a.example', 1, 'unknown'),
    guest('ed@a.example'),
  ];
  const event = eventWith(guests);
  expect(guests.map((one) => invitedInWords(one, event))).toEqual([
    'invited',
    'has an earlier version',
    'not sent',
    'may have been sent',
    'not invited',
  ]);
  expect(pendingOf(event)?.guests).toEqual(guests.slice(1));
  expect(pendingOf({ ...event, cancelled: true })?.guests).toEqual(guests.slice(1, 4));
});
