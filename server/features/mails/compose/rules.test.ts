import { expect, test } from 'vitest';
import { NO_THREAD, threadOf, threadOfDraft } from './rules.ts';

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
