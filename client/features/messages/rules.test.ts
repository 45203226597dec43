import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { expect, test } from 'vitest';
import {
  byDay,
  caretAfter,
  contactStartingWith,
  entriesOf,
  formatPhone,
  hindranceOf,
  isQuiet,
  matchingContacts,
  numberInWords,
  phoneError,
  sizeOf,
  toNumber,
} from './rules.ts';
import { laterOf } from './rules.order.ts';

const own = '+12125550199';
const other = '+12345678910';

test('a number takes its form while it is typed, whatever is pasted', () => {
  expect(formatPhone('1')).toBe('1');
  expect(formatPhone('12345')).toBe('1 234 5');
  expect(formatPhone('+1 (234) 567-8910')).toBe('1 234 567 8910');
  expect(formatPhone('1234567891099')).toBe('1 234 567 8910');
  expect(formatPhone('letters')).toBe('');
});

test('the caret stays behind the digit it was behind', () => {
  expect(caretAfter('1 234 567 8910', 0)).toBe(0);
  expect(caretAfter('1 234 567 8910', 1)).toBe(1);
  expect(caretAfter('1 234 567 8910', 2)).toBe(3);
  expect(caretAfter('1 234 567 8910', 11)).toBe(14);
});

test('a number is asked for in one form alone', () => {
  expect(phoneError('')).toBe('Phone Number is required');
  expect(phoneError('1 234 567 891')).toBe('Phone Number must look like 1 234 567 8910');
  expect(phoneError('0 234 567 8910')).toBe('Phone Number must look like 1 234 567 8910');
  expect(phoneError('1 234 567 8910')).toBeUndefined();
  expect(toNumber('1 234 567 8910')).toBe(other);
});

test('a number is read in groups where they are known', () => {
  expect(numberInWords(other)).toBe('+1 234 567 8910');
  expect(numberInWords('+4915112345678')).toBe('+4915112345678');
  expect(numberInWords('72432')).toBe('72432');
});

test('160 letters of GSM fit in one segment, 161 take two of 153', () => {
  expect(sizeOf('')).toEqual({ units: 0, room: 160, segments: 1 });
  expect(sizeOf('a'.repeat(160))).toEqual({ units: 160, room: 160, segments: 1 });
  expect(sizeOf('é'.repeat(161))).toEqual({ units: 161, room: 306, segments: 2 });
});

test('letters of the extension table count twice and are not cut in two', () => {
  expect(sizeOf('€'.repeat(80))).toEqual({ units: 160, room: 160, segments: 1 });
  // 152 of the first segment are filled; the 153rd place is too small for the next one.
  expect(sizeOf('€'.repeat(153)).segments).toBe(3);
  expect(sizeOf('a'.repeat(153) + '{}[]')).toMatchObject({ units: 161, segments: 2 });
});

test('one letter outside GSM makes it 70, or 67 each, and pairs stay together', () => {
  expect(sizeOf('ж'.repeat(70))).toEqual({ units: 70, room: 70, segments: 1 });
  expect(sizeOf('ж'.repeat(71))).toEqual({ units: 71, room: 134, segments: 2 });
  expect(sizeOf('’')).toEqual({ units: 1, room: 70, segments: 1 });
  expect(sizeOf('🙂'.repeat(35))).toMatchObject({ units: 70, segments: 1 });
  // 33 pairs fill 66 of 67.
  expect(sizeOf('🙂'.repeat(67)).segments).toBe(3);
});

test('the night is from nine to eight', () => {
  expect([20, 21, 0, 7, 8].map(isQuiet)).toEqual([false, true, true, true, false]);
});

test('contacts are found by name, by digits however they are grouped, and by the last words', () => {
  const contacts = [
    contact('+12125550111', 'Ngozi Abara', 'I can come Thursday'),
    contact(other, null, 'Thank you'),
  ];
  const found = (text: string) => matchingContacts(contacts, text).map((one) => one.phoneNumber);
  expect(found('ABARA')).toEqual(['+12125550111']);
  expect(found('(234) 567')).toEqual([other]);
  expect(found('thursday')).toEqual(['+12125550111']);
  expect(found(' ')).toHaveLength(2);
  expect(found('nobody')).toEqual([]);
});

test('letters jump to the next name, and more letters stay where they fit', () => {
  const contacts = ['Ada', 'Anna', 'Bert', 'Andrea'].map((name, at) =>
    contact(`+1${at}`, name, ''),
  );
  expect(contactStartingWith(contacts, 'a', 0)).toBe(1);
  expect(contactStartingWith(contacts, 'an', 0)).toBe(1);
  expect(contactStartingWith(contacts, 'and', 1)).toBe(3);
  expect(contactStartingWith(contacts, 'b', 2)).toBe(2);
  expect(contactStartingWith(contacts, 'z', 0)).toBe(-1);
});

test('STOP hinders until START, and a word among others does not', () => {
  const said = (...bodies: string[]) =>
    hindranceOf(
      contact(other, 'Ngozi Abara', ''),
      bodies.map((body, at) => received(`m${at}`, body)),
    );
  expect(said('Please stop calling')).toBeNull();
  expect(said('Hello', ' stop ')).toContain('Ngozi Abara has asked for no more texts');
  expect(said('STOP', 'start')).toBeNull();
  expect(hindranceOf(contact('72432', null, ''), [])).toContain('nothing can be written back');
});

test('of two accounts of one message the later one counts, and unknown gives way to anything', () => {
  const at = (status: TextMessage['status']) => ({ ...received('m', 'x'), status });
  expect(laterOf(at('delivered'), at('queued')).status).toBe('delivered');
  expect(laterOf(at('queued'), at('sent')).status).toBe('sent');
  expect(laterOf(at('unknown'), at('queued')).status).toBe('queued');
  expect(laterOf(at('sending'), at('unknown')).status).toBe('unknown');
  expect(laterOf(at('delivered'), at('unknown')).status).toBe('delivered');
});

test('messages are cut into days of the reader', () => {
  const first = { ...received('a', ''), dateSent: new Date(2026, 10, 19, 23, 59).toISOString() };
  const second = { ...received('b', ''), dateSent: new Date(2026, 10, 20, 0, 1).toISOString() };
  expect(byDay([first, second]).map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20']);
});

test('today holds what runs out today and one’s own tasks of the day', () => {
  const brief = { caseNo: '1', status: 'ADR' };
  const task = {
    type: 'intake' as const,
    case: { id: 'c2', caseName: 'Abara' },
    assignedTo: { id: 'p', firstName: 'Ama', lastName: 'Owusu' },
  };
  const entries = entriesOf(
    {
      counts: { activeCases: 1, archivedCases: 0, myOpenTasks: 2 },
      myTasks: [
        { ...task, id: 't1', name: 'Call', endTime: new Date(2026, 10, 20, 16).toISOString() },
        { ...task, id: 't2', name: 'Later', endTime: new Date(2026, 10, 21, 9).toISOString() },
      ],
      limitations: [
        { ...brief, id: 'c1', caseName: 'Castellano', SOL: '2026-11-20' },
        { ...brief, id: 'c3', caseName: 'Okafor', SOL: '2026-11-21' },
      ],
      limitationsTotal: 2,
      recentCases: [],
    },
    '2026-11-20',
  );
  expect(entries.map(({ title }) => title)).toEqual(['Statute of limitations', 'Call']);
});

function contact(phoneNumber: string, name: string | null, body: string): Conversation {
  return { phoneNumber, name, unread: 0, caseId: null, lastMessage: received('m', body) };
}

function received(id: string, body: string): TextMessage {
  const dateSent = '2026-11-20T10:00:00.000Z';
  return { id, from: other, to: own, body, dateSent, status: 'received', error: null, media: [] };
}
