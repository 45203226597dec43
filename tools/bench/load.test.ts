import { expect, test } from 'vitest';
import { summarize } from './load.ts';

test('the bench takes percentiles as the value that so many stay at or below', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(summarize(hundred, 4)).toEqual({
    mean: 50.5,
    p50: 50,
    p95: 95,
    p99: 99,
    most: 100,
    perSecond: 25,
  });
});

test('the bench gives one call as every percentile', () => {
  expect(summarize([7], 1)).toEqual({ mean: 7, p50: 7, p95: 7, p99: 7, most: 7, perSecond: 1 });
});

test('the bench refuses to speak of nothing', () => {
  expect(() => summarize([], 1)).toThrow('nothing was measured');
});
