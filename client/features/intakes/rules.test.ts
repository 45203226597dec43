import { expect, test } from 'vitest';
import { clockOf } from './rules.ts';

test('an intake that just came never has more time left than its target', () => {
  const intake = {
    receivedAt: '2026-11-20T15:42:40.000Z',
    responseDueAt: '2026-11-20T16:42:40.000Z',
    firstResponseAt: null,
  };
  // The page's clock showed the minute before.
  const now = new Date('2026-11-20T15:42:00.000Z');
  expect(clockOf(intake, now).words).toBe('1 h left to respond');
});
