import { expect, test } from 'vitest';
import { BAD_ADDRESS, type MailDetail } from '@matterdesk/contract/mails.ts';
import {
  ageInWords,
  answerTo,
  cutLinks,
  cutQuotes,
  dayInList,
  faultsOf,
  isShownInside,
  NOTHING_WRITTEN,
  outgoing,
  readComposing,
} from './rules.ts';
import { mergeFirstPage } from './rules.lists.ts';

const OWN = ['ada@firm.example', 'ada@gmail.example'];
const page = (ids: string[], nextCursor: string | null = 'next') => ({
  mails: ids.map((id) => ({ id })),
  nextCursor,
});

function mail(own: Partial<MailDetail> = {}): MailDetail {
  return {
    id: 'm1',
    subject: 'The lease',
    from: { name: 'Jane Doe', email: 'jane@client.example' },
    to: { name: 'Ada', email: 'ada@firm.example' },
    cc: [],
    date: '2026-11-20T15:42:00.000Z',
    message: 'Hello\n> earlier',
    html: null,
    attachments: [],
    draftId: null,
    proposedCase: null,
    ...own,
  };
}

test('new mails come before those that were read, which stay as far as they were read', () => {
  const held = { ids: ['c', 'b', 'a'], nextCursor: 'deep' };
  expect(mergeFirstPage(held, page(['d', 'c']))).toEqual({
    ids: ['d', 'c', 'b', 'a'],
    nextCursor: 'deep',
  });
});

test('what is gone from the beginning of a list goes', () => {
  const held = { ids: ['d', 'c', 'b', 'a'], nextCursor: 'deep' };
  expect(mergeFirstPage(held, page(['d', 'b'])).ids).toEqual(['d', 'b', 'a']);
});

test('a beginning that no longer reaches what was read replaces it', () => {
  const held = { ids: ['b', 'a'], nextCursor: 'deep' };
  expect(mergeFirstPage(held, page(['f', 'e']))).toEqual({ ids: ['f', 'e'], nextCursor: 'next' });
  expect(mergeFirstPage(held, page(['b'], null))).toEqual({ ids: ['b'], nextCursor: null });
});

test('a list says the time of today, the weekday of this week, and else the day', () => {
  const now = new Date(2026, 10, 20, 18, 0);
  expect(dayInList(new Date(2026, 10, 20, 9, 5).toISOString(), now)).toMatch(/0?9[:.]05/);
  expect(dayInList(new Date(2026, 10, 18, 23, 59).toISOString(), now)).toBe('Wed');
  expect(dayInList(new Date(2026, 10, 13, 12, 0).toISOString(), now)).toBe('Nov 13');
  expect(dayInList(new Date(2025, 10, 13, 12, 0).toISOString(), now)).toBe('Nov 13, 2025');
  expect(dayInList('no date', now)).toBe('');
});

test('the age of a list is said in minutes', () => {
  const now = new Date('2026-11-20T12:10:00Z');
  expect(ageInWords('2026-11-20T12:09:40Z', now)).toBe('Updated just now');
  expect(ageInWords('2026-11-20T12:03:00Z', now)).toBe('Updated 7 min ago');
});

test('what is quoted is told from what is said, with the words that lead in', () => {
  const text = 'Agreed.\r\n\r\nOn Fri, Ada wrote:\r\n> Shall we?\r\n>\r\n> Ada\r\n\r\nRegards';
  expect(cutQuotes(text)).toEqual([
    { kind: 'said', text: 'Agreed.' },
    { kind: 'quoted', text: 'On Fri, Ada wrote:\n> Shall we?\n>\n> Ada' },
    { kind: 'said', text: 'Regards' },
  ]);
});

test('all below an original message is quoted, but a forwarded one is the message itself', () => {
  const answer = 'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nShall we?';
  expect(cutQuotes(answer).map(({ kind }) => kind)).toEqual(['said', 'quoted']);
  const forwarded = 'See below\n\n---------- Forwarded message ---------\nFrom: Ada\n\nShall we?';
  expect(cutQuotes(forwarded).map(({ kind }) => kind)).toEqual(['said']);
  expect(cutQuotes('  \n ')).toEqual([]);
});

test('web addresses are found without the punctuation behind them', () => {
  const parts = cutLinks('See https://a.example/x?y=1, (http://b.example/z).');
  expect(parts.map(({ href }) => href).filter(Boolean)).toEqual([
    'https://a.example/x?y=1',
    'http://b.example/z',
  ]);
  expect(parts.map(({ text }) => text).join('')).toBe(
    'See https://a.example/x?y=1, (http://b.example/z).',
  );
});

test('a picture is inside the message when the HTML names it', () => {
  const picture = { contentId: 'a b@c', mimeType: 'image/png' };
  expect(isShownInside(picture, '<img src="cid:a%20b%40c">')).toBe(true);
  expect(isShownInside(picture, '<img src="cid:other">')).toBe(false);
  expect(isShownInside({ ...picture, mimeType: 'text/html' }, '<img src="cid:a b@c">')).toBe(false);
  expect(isShownInside({ ...picture, contentId: null }, '<p>')).toBe(false);
});

test('a reply goes to whoever wrote, quotes, and says Re: once', () => {
  const answer = answerTo(mail({ subject: 'RE: The lease' }), 'reply', OWN);
  expect(answer).toMatchObject({
    to: 'jane@client.example',
    cc: '',
    subject: 'RE: The lease',
    inReplyTo: 'm1',
  });
  expect(answer.text).toMatch(
    /^\n\nOn .*, Jane Doe <jane@client.example> wrote:\n> Hello\n>> earlier$/,
  );
  expect(answerTo(mail(), 'reply', OWN).subject).toBe('Re: The lease');
});

test('a reply to all writes to everybody once, and not to oneself', () => {
  const all = mail({
    cc: [
      { name: '', email: 'ADA@gmail.example' },
      { name: '', email: 'ben@firm.example' },
      { name: '', email: 'Jane@client.example' },
      { name: '', email: 'ben@firm.example' },
    ],
  });
  expect(answerTo(all, 'replyAll', OWN)).toMatchObject({
    to: 'jane@client.example',
    cc: 'ben@firm.example',
  });
});

test('an answer to what one has sent oneself goes to whom it was sent', () => {
  const sent = mail({
    from: { name: 'Ada', email: 'Ada@firm.example' },
    to: { name: '', email: 'jane@client.example' },
  });
  expect(answerTo(sent, 'reply', OWN).to).toBe('jane@client.example');
});

test('an answer goes where its writer wants answers', () => {
  const replyTo = [
    { name: '', email: 'clerk@court.example' },
    { name: '', email: 'desk@court.example' },
  ];
  expect(answerTo(mail({ replyTo }), 'reply', OWN)).toMatchObject({
    to: 'clerk@court.example',
    cc: 'desk@court.example',
  });
});

test('a forward is addressed to nobody yet and names the original', () => {
  const forward = answerTo(mail({ subject: 'Fwd: The lease' }), 'forward', OWN);
  expect(forward).toMatchObject({ to: '', subject: 'Fwd: The lease', forwardOf: 'm1' });
  expect(forward.inReplyTo).toBeUndefined();
  expect(forward.text).toContain('From: Jane Doe <jane@client.example>');
});

test('what goes out has lists of addresses, and the fields that hold nothing are left out', () => {
  const written = {
    ...NOTHING_WRITTEN,
    to: ' a@b.example ',
    cc: 'Ben <ben@c.example>; d@e.example, ',
    attachments: [
      { upload: 'u1', name: 'a.pdf', size: 1 },
      { url: '/x', name: 'b.pdf', size: 2 },
    ],
  };
  expect(outgoing(written, 'me@x.example', 'd1')).toEqual({
    from: 'me@x.example',
    to: 'a@b.example',
    subject: '',
    text: '',
    cc: ['ben@c.example', 'd@e.example'],
    attachments: [{ upload: 'u1' }, { url: '/x' }],
    draftId: 'd1',
  });
});

test('a bad address is told under its field, and no recipient is none of them', () => {
  const faults = (own: object) =>
    faultsOf(outgoing({ ...NOTHING_WRITTEN, ...own }, 'me@x.example', null));
  expect(faults({ to: 'wrong' })).toEqual({ to: BAD_ADDRESS });
  expect(faults({ to: 'a@b.example', bcc: 'c@d.example, wrong' })).toEqual({ bcc: BAD_ADDRESS });
  expect(faults({ to: '  ' })).toEqual({});
});

test('what a tab kept is taken for a mail only when it is one', () => {
  expect(readComposing({ id: 'x' })).toBeNull();
  const composing = {
    id: 'x',
    start: NOTHING_WRITTEN,
    written: { ...NOTHING_WRITTEN, to: 'a@b.example' },
    draftId: null,
    isSmall: true,
    sent: null,
    matter: null,
  };
  expect(readComposing(structuredClone(composing))).toEqual(composing);
});
