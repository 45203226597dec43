import { expect, test } from 'vitest';
import { processorTimeDuring } from '../../testing/usage.ts';
import type { ReadMail } from './answers.ts';
import { cluesOf } from './clues.ts';

function mail(text: string): ReadMail {
  const nothing = {
    recipients: [],
    bcc: [],
    replyTo: [],
    date: null,
    html: null,
    calendar: null,
    attachments: [],
  };
  return { ...nothing, subject: '', from: null, text };
}

test('the reader finds numbers, addresses and names between punctuation', () => {
  const text = 'Re: (2024-CV-0117), "Doe, Jane" <jane@client.example>. I call on Mr. John Roe…';
  const { numbers, emails, names } = cluesOf(mail(text), []);
  expect(numbers).toContain('2024-CV-0117');
  expect(emails).toEqual(['jane@client.example']);
  expect(names).toEqual(expect.arrayContaining(['Doe Jane', 'John Roe…']));
  expect(cluesOf(mail(text), ['jane@client.example']).emails).toEqual([]);
});

test('the reader reads a mail of dots as fast as one of letters', async () => {
  const spent = (middle: string) =>
    processorTimeDuring(async () => cluesOf(mail(`a${middle.repeat(49_990)}a`), []));
  await spent('b');
  expect(await spent('.')).toBeLessThan(20 * (await spent('b')) + 100);
});

test('the reader passes over words that no name is as long as', () => {
  const { numbers, names } = cluesOf(mail(`a${'.'.repeat(49_990)}a 17`), []);
  expect([numbers, names]).toEqual([['17'], []]);
});
