import { expect, test } from 'vitest';
import {
  splitLinks,
  splitQuotes,
  isShownInside,
  proposalFor,
  ageInWords,
  personOf,
} from './rules.ts';
import { mergeFirstPage } from './slice.ts';

const rows = (ids: string, cursor: string | null) => ({
  mails: ids.split(' ').map((id) => ({ id })),
  cursor,
});

test('the mailbox puts new mails first and keeps the rows loaded after them', () => {
  const merged = mergeFirstPage(rows('c b a', 'deep'), rows('d c', 'next'));
  expect(merged).toEqual(rows('d c b a', 'deep'));
});

test('the mailbox drops rows that were removed from the beginning of a list', () => {
  const merged = mergeFirstPage(rows('d c b a', 'deep'), rows('d b', 'next'));
  expect(merged).toEqual(rows('d b a', 'deep'));
});

test('the mailbox replaces the list when the first page no longer reaches its rows', () => {
  const held = rows('b a', 'deep');
  expect(mergeFirstPage(held, rows('f e', 'next'))).toEqual(rows('f e', 'next'));
  expect(mergeFirstPage(held, rows('b', null))).toEqual(rows('b', null));
});

test('the mailbox shows the age of a list in minutes', () => {
  const now = new Date('2026-11-20T12:10:00Z');
  expect(ageInWords('2026-11-20T12:09:40Z', now)).toBe('Updated just now');
  expect(ageInWords('2026-11-20T12:03:00Z', now)).toBe('Updated 7 min ago');
});

test('the mailbox separates quotes, with their introductions, from what the author wrote', () => {
  const text = 'Agreed.\r\n\r\nOn Fri, Ada wrote:\r\n> Shall we?\r\n>\r\n> Ada\r\n\r\nRegards';
  expect(splitQuotes(text)).toEqual([
    { kind: 'said', text: 'Agreed.' },
    { kind: 'quoted', text: 'On Fri, Ada wrote:\n> Shall we?\n>\n> Ada' },
    { kind: 'said', text: 'Regards' },
  ]);
});

test('the mailbox treats everything below an original message as quoted, but not a forwarded message', () => {
  const answer = 'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nShall we?';
  expect(splitQuotes(answer).map(({ kind }) => kind)).toEqual(['said', 'quoted']);
  const forwarded = 'See below\n\n---------- Forwarded message ---------\nFrom: Ada\n\nShall we?';
  expect(splitQuotes(forwarded).map(({ kind }) => kind)).toEqual(['said']);
  expect(splitQuotes('  \n ')).toEqual([]);
});

test('the mailbox finds URLs without the punctuation after them', () => {
  const parts = splitLinks('See https://a.example/x?y=1, (http://b.example/z).');
  expect(parts.map(({ href }) => href).filter(Boolean)).toEqual([
    'https://a.example/x?y=1',
    'http://b.example/z',
  ]);
  expect(parts.map(({ text }) => text).join('')).toBe(
    'See https://a.example/x?y=1, (http://b.example/z).',
  );
});

test('the mailbox treats an image as inline when the HTML names its content id', () => {
  const picture = { contentId: 'a b@c', mimeType: 'image/png' };
  expect(isShownInside(picture, '<img src="cid:a%20b%40c">')).toBe(true);
  expect(isShownInside(picture, '<img src="cid:other">')).toBe(false);
  expect(isShownInside({ ...picture, mimeType: 'text/html' }, '<img src="cid:a b@c">')).toBe(false);
  expect(isShownInside({ ...picture, contentId: null }, '<p>')).toBe(false);
});

test('the mailbox finds the first and the last name of a sender', () => {
  const people = [
    ['Dr. Jane M. Doe, Esq.', ''],
    ['Doe, Jane', ''],
    ['"Jane Doe (via the portal)"', ''],
    ['', 'jane.doe@firm.example'],
    ['jane.doe@firm.example', 'jane.doe@firm.example'],
  ] as const;
  for (const [name, email] of people)
    expect(personOf({ name, email }).toLowerCase()).toBe('jane doe');
  expect(personOf({ name: 'Northline Freight, LLC', email: '' })).toBe('Northline Freight');
  expect(personOf(null)).toBe('?');
});

test('a mail is proposed for a case until it is filed there', () => {
  const named = { id: 'named', caseName: 'Named', reason: 'Its thread' };
  const place = (id: string) => ({ case: { id, caseName: id }, url: '', at: '' });
  expect(proposalFor({ filed: [], proposedCase: named })).toBe(named);
  expect(proposalFor({ filed: [place('other')], proposedCase: named })).toBe(named);
  expect(proposalFor({ filed: [place('other'), place('named')], proposedCase: named })).toBeNull();
});
