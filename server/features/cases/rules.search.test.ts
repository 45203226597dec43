import { expect, test } from 'vitest';
import { BEYOND, isBeyond, MAX_SCANNED, scanBudget } from './rules.search.ts';

test('looks at the newest cases as long as that costs less than the index', () => {
  expect(scanBudget({ cases: 100_000, matches: 9000 }, { limit: 50 })).toBe(1024);
  expect(scanBudget({ cases: 1_000_000, matches: 11_000 }, { limit: 50 })).toBe(8192);
  expect(scanBudget({ cases: 100_000, matches: 100 }, { limit: 50 })).toBeUndefined();
  expect(scanBudget({ cases: 100_000_000, matches: 11_000 }, { limit: 1 })).toBe(16_384);
  expect(scanBudget({ cases: 4_030_000, matches: 11_000 }, { limit: 60 })).toBe(MAX_SCANNED);
});

test('the planner leaves a search without matches to the index, also where there are no cases', () => {
  expect(scanBudget({ cases: 100_000, matches: 0 }, { limit: 50 })).toBeUndefined();
  expect(scanBudget({ cases: 0, matches: 0 }, { limit: 50 })).toBeUndefined();
});

test('the planner scans a first page as far as it reached before', () => {
  const known = { cases: 100_000, matches: 9000, reached: { limit: 51, place: 15_000 } };
  expect(scanBudget(known, { limit: 51 })).toBe(32_768);
  expect(scanBudget(known, { limit: 21 })).toBe(32_768);
  // A longer page reaches farther, and a later one begins elsewhere.
  expect(scanBudget(known, { limit: 101 })).toBe(2048);
  expect(scanBudget(known, { limit: 51, after: '7' })).toBe(1024);
  expect(scanBudget({ ...known, matches: 7000 }, { limit: 51 })).toBeUndefined();
  const common = { ...known, matches: 11_000, reached: { limit: 51, place: 40_000 } };
  expect(scanBudget(common, { limit: 51 })).toBe(MAX_SCANNED);
});

test('the planner leaves a page that no scan finds to the index', () => {
  const reached = { limit: 51, place: BEYOND };
  const known = { cases: 1_000_000, matches: 11_000, reached };
  expect(isBeyond(known, { limit: 51 })).toBe(true);
  expect(isBeyond(known, { limit: 101 })).toBe(false);
  expect(isBeyond({ ...known, matches: 900 }, { limit: 51 })).toBe(false);
  expect(scanBudget({ ...known, matches: 900 }, { limit: 51 })).toBeUndefined();
});
