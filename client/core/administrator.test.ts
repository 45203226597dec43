import { expect, test } from 'vitest';
import { sentenceForReader } from './administrator.ts';

test.each([
  ['This isn’t set up yet. Ask your administrator.', 'This isn’t set up yet.'],
  [
    'Not allowed yet. Ask your administrator to allow it in Twilio.',
    'Not allowed yet. Allow it in Twilio.',
  ],
  ['The storage is full: ask your administrator to make room', 'The storage is full: make room'],
  ['The name is taken', 'The name is taken'],
])('an admin reads “%s” as “%s”', (sentence, forAdmin) => {
  expect(sentenceForReader(sentence, true)).toBe(forAdmin);
  expect(sentenceForReader(sentence, false)).toBe(sentence);
});
