import { expect, test, describe } from 'vitest';
import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import {
  byDay,
  caretAfter,
  consentInWords,
  formatPhone,
  blockReasonOf,
  matchingContacts,
  numberInWords,
  phoneError,
  priceInWords,
  sizeOf,
  typedToE164,
  toggleText,
  emptySelection,
} from './rules.ts';
import { laterOf } from './slice.ts';

const own = '+12125550199';
const other = '+12345678910';

test('the messages page formats a number while it is typed or pasted', () => {
  expect(formatPhone('1')).toBe('1');
  expect(formatPhone('12345')).toBe('1 234 5');
  expect(formatPhone('+1 (234) 567-8910')).toBe('1 234 567 8910');
  expect(formatPhone('1234567891099')).toBe('1 234 567 8910');
  expect(formatPhone('(234) 567-8910')).toBe('234 567 8910');
  expect(formatPhone('72345678910')).toBe('7 234 567 8910');
  expect(formatPhone('letters')).toBe('');
});

test('the messages page keeps the caret after the same digit', () => {
  expect(caretAfter('1 234 567 8910', 0)).toBe(0);
  expect(caretAfter('1 234 567 8910', 1)).toBe(1);
  expect(caretAfter('1 234 567 8910', 2)).toBe(3);
  expect(caretAfter('1 234 567 8910', 11)).toBe(14);
});

test('the messages page accepts a number with its country code, and one of the US without', () => {
  expect(phoneError('')).toBe('Phone Number is required');
  expect(phoneError('1 234 567 891')).toBe('Phone Number must look like 1 234 567 8910');
  expect(phoneError('0 234 567 8910')).toBe('Phone Number must look like 1 234 567 8910');
  expect(phoneError('1 234 567 8910')).toBeUndefined();
  expect(phoneError('234 567 8910')).toBeUndefined();
  expect(phoneError('234 567 891')).toBe('Phone Number must look like 1 234 567 8910');
  expect(typedToE164('1 234 567 8910')).toBe(other);
  expect(typedToE164('234 567 8910')).toBe(other);
  expect(priceInWords({ amount: '1.15', currency: 'USD' })).toBe('$1.15 a month');
});

test('the messages page groups the digits of a number with a known format', () => {
  expect(numberInWords(other)).toBe('+1 234 567 8910');
  expect(numberInWords('+4915112345678')).toBe('+4915112345678');
  expect(numberInWords('72432')).toBe('72432');
});

test('fits 160 GSM characters in a segment, and splits 161 into two of up to 153', () => {
  expect(sizeOf('')).toEqual({ units: 0, capacity: 160, segments: 1 });
  expect(sizeOf('a'.repeat(160))).toEqual({ units: 160, capacity: 160, segments: 1 });
  expect(sizeOf('é'.repeat(161))).toEqual({ units: 161, capacity: 306, segments: 2 });
});

test('the messages page counts characters of the extension table twice and never splits them', () => {
  expect(sizeOf('€'.repeat(80))).toEqual({ units: 160, capacity: 160, segments: 1 });
  // 152 units of the first segment are used; the 153rd cannot hold a character of two.
  expect(sizeOf('€'.repeat(153)).segments).toBe(3);
  expect(sizeOf('a'.repeat(153) + '{}[]')).toMatchObject({ units: 161, segments: 2 });
});

test('the messages page limits a text with any other character to 70, or 67 per segment, and keeps pairs together', () => {
  expect(sizeOf('ж'.repeat(70))).toEqual({ units: 70, capacity: 70, segments: 1 });
  expect(sizeOf('ж'.repeat(71))).toEqual({ units: 71, capacity: 134, segments: 2 });
  expect(sizeOf('’')).toEqual({ units: 1, capacity: 70, segments: 1 });
  expect(sizeOf('🙂'.repeat(35))).toMatchObject({ units: 70, segments: 1 });
  // 33 pairs fill 66 of 67.
  expect(sizeOf('🙂'.repeat(67)).segments).toBe(3);
});

test('the messages page finds contacts by name, by digits in any grouping, and by the last message', () => {
  const contacts = [
    contact('+12125550111', 'Ngozi Abara', 'I can come Thursday'),
    contact(other, null, 'Thank you'),
  ];
  const found = (text: string) =>
    matchingContacts(contacts, text).map(({ phoneNumber }) => phoneNumber);
  expect(found('ABARA')).toEqual(['+12125550111']);
  expect(found('(234) 567')).toEqual([other]);
  expect(found('thursday')).toEqual(['+12125550111']);
  expect(found(' ')).toHaveLength(2);
  expect(found('zzz')).toEqual([]);
});

test('blocks texts to a contact who sent STOP and to a sender without a number', () => {
  const at = '2026-11-03T12:00:00.000Z';
  const said = (keyword: 'STOP' | 'START' | 'HELP') =>
    blockReasonOf(contact(other, 'Ngozi Abara', ''), { keyword, at });
  expect(said('STOP')).toContain('Ngozi Abara opted out of texts');
  expect(said('START')).toBeNull();
  expect(said('HELP')).toBeNull();
  expect(blockReasonOf(contact(other, null, ''), null)).toBeNull();
  expect(blockReasonOf(contact('72432', null, ''), null)).toContain('You can’t reply');
});

test('the messages page shows consent with its date', () => {
  const words = (keyword: 'STOP' | 'START' | 'HELP', today: string) =>
    consentInWords({ keyword, at: '2026-11-03T12:00:00.000Z' }, today).words;
  expect(words('STOP', '2026-11-20')).toBe('Opted out (STOP) on Nov 3');
  expect(words('START', '2026-11-20')).toBe('Consent on Nov 3');
  expect(words('HELP', '2027-01-02')).toBe('Sent HELP on Nov 3, 2026');
});

test('the messages page prefers the later version of a message, and any version to an unknown status', () => {
  const at = (status: TextMessage['status']) => ({ ...received('m', 'x'), status });
  expect(laterOf(at('delivered'), at('queued')).status).toBe('delivered');
  expect(laterOf(at('queued'), at('sent')).status).toBe('sent');
  expect(laterOf(at('unknown'), at('queued')).status).toBe('queued');
  expect(laterOf(at('sending'), at('unknown')).status).toBe('unknown');
  expect(laterOf(at('delivered'), at('unknown')).status).toBe('delivered');
});

test('the messages page groups messages by the days of the reader', () => {
  const first = { ...received('a', ''), dateSent: new Date(2026, 10, 19, 23, 59).toISOString() };
  const second = { ...received('b', ''), dateSent: new Date(2026, 10, 20, 0, 1).toISOString() };
  expect(byDay([first, second]).map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20']);
});

function contact(phoneNumber: string, name: string | null, body: string): Conversation {
  return { phoneNumber, name, unread: 0, caseId: null, lastMessage: received('m', body) };
}

function received(id: string, body: string): TextMessage {
  const dateSent = '2026-11-20T10:00:00.000Z';
  return { id, from: other, to: own, body, dateSent, status: 'received', error: null, media: [] };
}

const all = ['a', 'b', 'c', 'd', 'e'];
const idsOf = (...presses: [id: string, among?: string[]][]) => {
  const choice = presses.reduce((before, press) => toggleText(before, ...press), emptySelection);
  return [...choice.ids].toSorted();
};

describe('a choice of texts', () => {
  test('turns one on and off', () => {
    expect(idsOf(['b'])).toEqual(['b']);
    expect(idsOf(['b'], ['d'], ['b'])).toEqual(['d']);
  });

  test('takes those between two along, in either direction', () => {
    expect(idsOf(['b'], ['d', all])).toEqual(['b', 'c', 'd']);
    expect(idsOf(['d'], ['b', all])).toEqual(['b', 'c', 'd']);
    expect(idsOf(['a'], ['e', all], ['d'], ['b', all])).toEqual(['a', 'e']);
  });

  test('takes a single text without an earlier press, or when the earlier one has left', () => {
    expect(idsOf(['c', all])).toEqual(['c']);
    expect(idsOf(['lost'], ['c', all])).toEqual(['c', 'lost']);
  });
});
