import { expect, test } from 'vitest';
import { LONGEST_SCAN, scanBudget } from './rules.search.ts';

test('looks at the newest cases as long as that costs less than the index', () => {
  expect(scanBudget({ cases: 100_000, matches: 9000 }, 50)).toBe(1024);
  expect(scanBudget({ cases: 1_000_000, matches: 11_000 }, 50)).toBe(8192);
  expect(scanBudget({ cases: 100_000, matches: 100 }, 50)).toBeUndefined();
  expect(scanBudget({ cases: 100_000_000, matches: 11_000 }, 1)).toBe(16_384);
  expect(scanBudget({ cases: 4_030_000, matches: 11_000 }, 60)).toBe(LONGEST_SCAN);
});

test('the planner leaves a search without matches to the index, also where there are no cases', () => {
  expect(scanBudget({ cases: 100_000, matches: 0 }, 50)).toBeUndefined();
  expect(scanBudget({ cases: 0, matches: 0 }, 50)).toBeUndefined();
});
