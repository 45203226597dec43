import { expect, test } from 'vitest';
import { BAD_ADDRESS, type MailDetail } from '@matterdesk/contract/mails.ts';
import {
  withSignature,
  EMPTY_CONTENT,
  endTyping,
  listRecipients,
  parseRecipients,
  suggestPeople,
  typeRecipient,
  answerTo,
  fieldErrorsOf,
  lacksMentionedFile,
  savablePart,
  toOutgoing,
  readMailDraft,
} from './rules.draft.ts';

test('a signature is below what is written, and above what is quoted', () => {
  const withText = (text: string) =>
    withSignature({ ...EMPTY_CONTENT, text }, 'Ada\nOwusu Law').text;
  expect(withText('')).toBe('\n\nAda\nOwusu Law');
  expect(withText('Dear Ms. Reyes,\n')).toBe('Dear Ms. Reyes,\n\nAda\nOwusu Law');
  expect(withText('\n\nOn Monday, Jane wrote:\n> Hi')).toBe(
    '\n\nAda\nOwusu Law\n\nOn Monday, Jane wrote:\n> Hi',
  );
  expect(withSignature(EMPTY_CONTENT, '')).toBe(EMPTY_CONTENT);
});

const VOSS = { name: 'Piet Voss', email: 'p.voss@elsewhere.example' };
const JUN = { name: '', email: 'Jun@court.example' };
const KNOWN = [{ ...VOSS, name: '' }, JUN, VOSS, { name: 'Anna', email: '' }];

test('the address field tells chosen addresses from the text that is still being typed', () => {
  expect(parseRecipients('a@b.example; Piet Voss <c@d.example>, vo')).toEqual({
    chosen: ['a@b.example', 'c@d.example'],
    typed: 'vo',
  });
  expect(typeRecipient(['a@b.example'], 'unfinished, vo')).toEqual({
    chosen: ['a@b.example', 'unfinished'],
    typed: 'vo',
  });
  const whole = { chosen: ['a@b.example'], typed: ' c@d.example' };
  expect(endTyping(whole)).toEqual({ chosen: ['a@b.example', 'c@d.example'], typed: '' });
  expect(endTyping({ ...whole, typed: 'c@d' })).toEqual({ ...whole, typed: 'c@d' });
  expect(listRecipients({ chosen: ['a@b.example', 'c@d.example'], typed: 'vo' })).toBe(
    'a@b.example, c@d.example, vo',
  );
});

test('the address field suggests each person once, by the beginning of a name or an address', () => {
  expect(suggestPeople('vos', KNOWN)).toEqual([VOSS]);
  expect(suggestPeople('PIET V', KNOWN)).toEqual([VOSS]);
  expect(suggestPeople('p.voss@els', KNOWN)).toEqual([VOSS]);
  expect(suggestPeople('court', KNOWN)).toEqual([JUN]);
  expect(suggestPeople('oss', KNOWN)).toEqual([]);
});

test('the address field suggests no one for a single letter or for a complete address', () => {
  expect(suggestPeople('v', KNOWN)).toEqual([]);
  expect(suggestPeople('jun@court.example', KNOWN)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, at) => ({ name: 'Ann', email: `${at}@x.example` }));
  expect(suggestPeople('ann', many)).toHaveLength(6);
});

const OWN = ['ada@firm.example', 'ada@gmail.example'];

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
    invitation: null,
    filed: [],
    draftId: null,
    proposedCase: null,
    ...own,
  };
}

test('addresses a reply to the sender, with the quote and a single Re:', () => {
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

test('addresses a reply to all to each person once, except the user', () => {
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

test('addresses an answer to a sent mail to its recipient', () => {
  const sent = mail({
    from: { name: 'Ada', email: 'Ada@firm.example' },
    to: { name: '', email: 'jane@client.example' },
  });
  expect(answerTo(sent, 'reply', OWN).to).toBe('jane@client.example');
});

test('addresses an answer to the Reply-To addresses', () => {
  const replyTo = [
    { name: '', email: 'clerk@court.example' },
    { name: '', email: 'desk@court.example' },
  ];
  expect(answerTo(mail({ replyTo }), 'reply', OWN)).toMatchObject({
    to: 'clerk@court.example',
    cc: 'desk@court.example',
  });
});

test('the composer leaves a forward without recipients and links it to the original', () => {
  const forward = answerTo(mail({ subject: 'Fwd: The lease' }), 'forward', OWN);
  expect(forward).toMatchObject({ to: '', subject: 'Fwd: The lease', forwardOf: 'm1' });
  expect(forward.inReplyTo).toBeUndefined();
  expect(forward.text).toContain('From: Jane Doe <jane@client.example>');
});

test('the composer splits lists of addresses for the server and omits empty fields', () => {
  const written = {
    ...EMPTY_CONTENT,
    to: ' a@b.example ',
    cc: 'Ben <ben@c.example>; d@e.example, ',
    attachments: [
      { upload: 'u1', name: 'a.pdf', size: 1 },
      { url: '/x', name: 'b.pdf', size: 2 },
    ],
  };
  expect(toOutgoing(written, 'me@x.example', 'd1')).toEqual({
    from: 'me@x.example',
    to: 'a@b.example',
    subject: '',
    text: '',
    cc: ['ben@c.example', 'd@e.example'],
    attachments: [{ upload: 'u1' }, { url: '/x' }],
    draftId: 'd1',
  });
});

test('the composer reports a bad address under its field, but not a missing recipient', () => {
  const faults = (own: object) =>
    fieldErrorsOf(toOutgoing({ ...EMPTY_CONTENT, ...own }, 'me@x.example', null));
  expect(faults({ to: 'wrong' })).toEqual({ to: BAD_ADDRESS });
  expect(faults({ to: 'a@b.example', bcc: 'c@d.example, wrong' })).toEqual({ bcc: BAD_ADDRESS });
  expect(faults({ to: '  ' })).toEqual({});
});

test('the composer restores a composed mail from the tab only if it is valid', () => {
  expect(readMailDraft({ id: 'x' })).toBeNull();
  const composing = {
    id: 'x',
    start: EMPTY_CONTENT,
    written: { ...EMPTY_CONTENT, to: 'a@b.example' },
    draftId: null,
    isSmall: true,
    sent: null,
    matter: null,
  };
  expect(readMailDraft(structuredClone(composing))).toEqual(composing);
});

test('the composer saves a draft without the addresses that are still incomplete', () => {
  const written = { ...EMPTY_CONTENT, to: 'vos', cc: 'c@d.example', text: 'Words' };
  expect(savablePart(toOutgoing(written, 'me@x.example', null))).toEqual({
    body: { from: 'me@x.example', subject: '', text: 'Words', cc: ['c@d.example'] },
    isWhole: false,
  });
  const whole = toOutgoing({ ...written, to: 'a@b.example' }, 'me@x.example', null);
  expect(savablePart(whole)).toEqual({ body: whole, isWhole: true });
});

test('detects a mentioned but missing attachment, except in quoted text', () => {
  const forgets = (own: object) => lacksMentionedFile({ ...EMPTY_CONTENT, ...own });
  expect(forgets({ text: 'The policy is attached.' })).toBe(true);
  expect(forgets({ text: 'Thank you.\n\nOn Friday, Ada wrote:\n> It is attached.' })).toBe(false);
  expect(forgets({ text: 'Attached.', attachments: [{ upload: 'u', name: 'a', size: 1 }] })).toBe(
    false,
  );
  expect(forgets({ text: 'Attached.', forwardOf: 'm1' })).toBe(false);
});
