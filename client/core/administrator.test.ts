import { expect, test } from 'vitest';
import { addressed } from './administrator.ts';

test.each([
  ['This isn’t set up yet. Ask your administrator.', 'This isn’t set up yet.'],
  [
    'Not allowed yet. Ask your administrator to allow it in Twilio.',
    'Not allowed yet. Allow it in Twilio.',
  ],
  ['The storage is full: ask your administrator to make room', 'The storage is full: make room'],
  ['The name is taken', 'The name is taken'],
])('an admin reads “%s” as “%s”', (sentence, forAdmin) => {
  expect(addressed(sentence, true)).toBe(forAdmin);
  expect(addressed(sentence, false)).toBe(sentence);
});
