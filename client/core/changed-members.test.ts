import { expect, test } from 'vitest';
import { changedMembers } from './changed-members.ts';

test('a form sends only the members that changed, whatever they hold', () => {
  type Values = { name: string; minutes: number; weekend: number[]; second: string | null };
  const saved: Values = { name: 'Owusu Law', minutes: 720, weekend: [6, 7], second: null };
  const after: Values = { ...saved, minutes: 30, weekend: [5, 6], second: 'ama' };
  expect(changedMembers(saved, after)).toEqual({ minutes: 30, weekend: [5, 6], second: 'ama' });
  expect(changedMembers(saved, { ...saved, weekend: [6, 7] })).toEqual({});
  expect(changedMembers<Values>({ ...saved, second: 'ama' }, saved)).toEqual({ second: null });
});
