import { expect, test } from 'vitest';
import { bytesLeft, isLow } from './rules.ts';

const GIBIBYTE = 1024 ** 3;
const disk = (free: number, total: number) => ({ free: free * GIBIBYTE, total: total * GIBIBYTE });

test('without a limit and a disk any upload fits', () => {
  expect(
    bytesLeft({ used: 5, underWay: 5 }, { limit: undefined, disk: undefined }),
  ).toBeUndefined();
});

test('running uploads count as if they had arrived', () => {
  expect(bytesLeft({ used: 60, underWay: 30 }, { limit: 100, disk: undefined })).toBe(10);
  expect(bytesLeft({ used: 90, underWay: 30 }, { limit: 100, disk: undefined })).toBe(-20);
});

test('uploads leave 5 % of a small disk free, and 2 GiB of a large one', () => {
  const use = { used: 0, underWay: 0 };
  expect(bytesLeft(use, { limit: undefined, disk: disk(10, 20) })).toBe(9 * GIBIBYTE);
  expect(bytesLeft(use, { limit: undefined, disk: disk(10, 1000) })).toBe(8 * GIBIBYTE);
  expect(bytesLeft(use, { limit: GIBIBYTE, disk: disk(10, 1000) })).toBe(GIBIBYTE);
});

test('the storage is low from a tenth of the limit or of the disk', () => {
  expect(isLow({ used: 89 }, { limit: 100, disk: undefined })).toBe(false);
  expect(isLow({ used: 90 }, { limit: 100, disk: undefined })).toBe(true);
  expect(isLow({ used: 0 }, { limit: undefined, disk: disk(1, 10) })).toBe(true);
  expect(isLow({ used: 0 }, { limit: undefined, disk: disk(2, 10) })).toBe(false);
});
