import { expect, test } from 'vitest';
import { ama, rune } from '../testing/factories.ts';
import { deciderOf, proposalOf } from './waiting-date.ts';

test.each([
  ['2030-03-20', '2030-03-01', '2030-03-20', 'proposed Mar 20, 2030'],
  ['2030-03-01', '2030-03-01', '2030-03-20', 'proposed Mar 20, 2030'],
  ['2030-03-01', '2030-02-01', '2030-02-01', 'proposed instead of Mar 1, 2030'],
])('an SOL of %s with %s in effect and %s proposed says %s', (SOL, date, proposed, words) => {
  expect(proposalOf({ SOL, waiting: { date, proposed, by: rune, decides: ama } })).toBe(words);
});

test('a proposal names who decides, or says that anyone else may', () => {
  const waiting = { date: '2030-03-01', proposed: '2030-03-20', by: rune, decides: ama };
  expect(deciderOf({ SOL: '2030-03-20', waiting })).toBe('Ama Owusu decides');
  expect(deciderOf({ SOL: '2030-03-20', waiting: { ...waiting, decides: null } })).toBe(
    'another person decides under Deadlines',
  );
  expect([proposalOf({ SOL: '2030-03-20' }), deciderOf({ SOL: '2030-03-20' })]).toEqual([
    undefined,
    undefined,
  ]);
});
