import { expect, test } from 'vitest';
import { callerRank } from './rules.ts';

test('callers of active matters come before others whose names begin alike', () => {
  const caller = (name: string, matters: number) => ({
    contact: { name },
    matters: Array.from({ length: matters }),
  });
  const people = [
    caller('Tadeusz Park', 1),
    caller('Hassan Adeyemi', 0),
    caller('Yusuf Adeyemi', 1),
    caller('Tadeusz Grønholm', 0),
  ];
  const ranked = people.toSorted((a, b) => callerRank(a, 'ADE') - callerRank(b, 'ADE'));
  expect(ranked.map(({ contact }) => contact.name)).toEqual([
    'Yusuf Adeyemi',
    'Hassan Adeyemi',
    'Tadeusz Park',
    'Tadeusz Grønholm',
  ]);
});
