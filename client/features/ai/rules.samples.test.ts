import { expect, test } from 'vitest';
import { samplesFor } from './rules.samples.ts';

test.each([
  ['Answer of Northline.pdf', 'What is alleged against the defendant?'],
  ['Commercial Lease 2024.docx', 'How much is the rent?'],
  ['Policy CA-4471902.pdf', 'What are the policy limits?'],
  ['Re settlement talks.eml', 'Who are the parties?'],
  ['Hello.eml', 'Who wrote this?'],
  ['scan0001.pdf', 'Who are the parties?'],
])('an empty chat proposes what a document like %s answers', (name, first) => {
  const samples = samplesFor({ name });
  expect(samples).toHaveLength(3);
  expect(samples[0]).toBe(first);
});

test('an empty chat proposes what a case answers', () => {
  expect(samplesFor({})).toContain('What deadlines are mentioned?');
});
