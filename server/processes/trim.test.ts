import { getHeapSpaceStatistics } from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from '../jobs/pace.ts';
import { trimWhenQuiet } from './trim.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('memory is trimmed once after the start, and once after each time of requests', async () => {
  const pace = new Pace(async () => false);
  const collect = vi.fn<() => void>();
  const end = trimWhenQuiet(pace, { collect, taken: () => 100e6 });
  await vi.advanceTimersByTimeAsync(4000);
  expect(collect).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(collect).toHaveBeenCalledTimes(1);
  for (let request = 0; request < 10; request += 1) {
    pace.begin();
    await vi.advanceTimersByTimeAsync(10_000);
    pace.end();
    await vi.advanceTimersByTimeAsync(50_000);
  }
  expect(collect).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(collect).toHaveBeenCalledTimes(2);
  end();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

test('memory is trimmed again when background work has left much of it, once a minute at most', async () => {
  const collect = vi.fn<() => void>();
  let taken = 100e6;
  const end = trimWhenQuiet(new Pace(async () => false), { collect, taken: () => taken });
  await vi.advanceTimersByTimeAsync(4000);
  taken += 20e6;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(collect).toHaveBeenCalledTimes(1);
  taken += 20e6;
  await vi.advanceTimersByTimeAsync(3000);
  expect(collect).toHaveBeenCalledTimes(2);
  taken += 100e6;
  await vi.advanceTimersByTimeAsync(50_000);
  expect(collect).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(collect).toHaveBeenCalledTimes(3);
  end();
});

test('memory is left alone at a start that someone waits for', async () => {
  const pace = new Pace(async () => false);
  const collect = vi.fn<() => void>();
  const end = trimWhenQuiet(pace, { collect, taken: () => 100e6 });
  pace.begin();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(collect).not.toHaveBeenCalled();
  end();
});

test('the engine leaves no unused memory to new objects', async () => {
  const spaceOf = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
  // Objects that live for a while make the space grow.
  const living = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const before = spaceOf();
  const end = trimWhenQuiet(new Pace(async () => false));
  await vi.advanceTimersByTimeAsync(4000);
  end();
  expect(living).toHaveLength(300_000);
  expect(before).toBeGreaterThan(2_000_000);
  expect(spaceOf()).toBeLessThan(before / 2);
});
