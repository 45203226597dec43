import { expect, test } from 'vitest';
import {
  attachmentName,
  isMailId,
  isNewer,
  nameOfMail,
  readChange,
  NO_THREAD,
  threadOf,
  threadOfDraft,
} from './rules.ts';

test('the mailbox names a filed mail for its date and subject', () => {
  expect(nameOfMail('Offer: 50/50?', '2026-03-05T10:00:00Z')).toBe('2026-03-05 Offer_ 50_50_.eml');
  expect(nameOfMail(' .\r\n ', '2026-03-05')).toBe('2026-03-05 Email without subject.eml');
  expect(nameOfMail('x'.repeat(300), '2026-03-05')).toHaveLength('2026-03-05 .eml'.length + 100);
  const long = nameOfMail('訴'.repeat(85), '2026-03-05');
  expect(long).toMatch(/^2026-03-05 訴+…\.eml$/);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
});

test('the mailbox names an attachment without the path and control characters of its sender', () => {
  expect(attachmentName('C:\\files\\claim.pdf')).toBe('claim.pdf');
  expect(attachmentName('../../etc/passwd')).toBe('passwd');
  expect(attachmentName('claim\u202Efdp.exe')).toBe('claim fdp.exe');
  expect(attachmentName('folder/')).toBe('attachment');
  expect(attachmentName(`${'x'.repeat(300)}.pdf`)).toMatch(/^x{196}\.pdf$/);
});

test('the mailbox refuses ids that Google never makes', () => {
  expect(isMailId('18c2_f-A')).toBe(true);
  for (const id of ['', '../me', 'a b', 'x'.repeat(101)]) expect(isMailId(id)).toBe(false);
});

test('the mailbox compares history ids as numbers, and takes any for newer than an unknown one', () => {
  expect(isNewer('10', '9')).toBe(true);
  expect(isNewer('9', '10')).toBe(false);
  expect(isNewer('9', '9')).toBe(false);
  expect(isNewer('1', 'unknown')).toBe(true);
});

test('the mailbox reads a push about a mailbox, and nothing else', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const change = { emailAddress: 'ada@firm.example', historyId: '42' };
  expect(readChange(encode(JSON.stringify(change)))).toMatchObject(change);
  expect(readChange(encode('{"emailAddress":1}'))).toBeUndefined();
  expect(readChange(encode('no JSON'))).toBeUndefined();
});

const headOf = (headers: Record<string, string>) => ({
  threadId: 't1',
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
});

test('a reply continues the references of its mail', () => {
  const head = headOf({ 'Message-ID': '<c@x>', References: '<a@x> <b@x>', 'In-Reply-To': '<b@x>' });
  expect(threadOf(head)).toEqual({
    threadId: 't1',
    inReplyTo: '<c@x>',
    references: ['<a@x>', '<b@x>', '<c@x>'],
  });
});

test('a reply to a mail without references starts from what that mail replied to', () => {
  const head = headOf({ 'Message-ID': '<c@x>', 'In-Reply-To': '<b@x>' });
  expect(threadOf(head).references).toEqual(['<b@x>', '<c@x>']);
});

test('a reply keeps the last fifty references, and drops malformed ids', () => {
  const many = Array.from({ length: 80 }, (_, index) => `<${index}@x>`);
  const head = headOf({ 'Message-ID': 'c@x', References: `${many.join(' ')} <bad id> <` });
  const { references, inReplyTo } = threadOf(head);
  expect(inReplyTo).toBeUndefined();
  expect(references).toEqual(many.slice(-50));
});

test('a stored draft keeps its thread, unless it is no reply', () => {
  const reply = headOf({ 'In-Reply-To': '<b@x>', References: '<a@x> <b@x>' });
  const thread = { threadId: 't1', inReplyTo: '<b@x>', references: ['<a@x>', '<b@x>'] };
  expect(threadOfDraft(reply)).toEqual(thread);
  expect(threadOfDraft(headOf({ Subject: 'New' }))).toEqual(NO_THREAD);
});
