import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchdog } from './rules.watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);

function watching() {
  const giveUp = vi.fn<() => void>();
  return { giveUp, watch: createWatchdog(giveUp) };
}

test('the watch gives up once on an engine that is silent during work', () => {
  const { giveUp, watch } = watching();
  vi.advanceTimersByTime(60_000);
  expect(giveUp).not.toHaveBeenCalled();
  void watch.over(never());
  vi.advanceTimersByTime(30_000);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

test('the watch keeps waiting for an engine that shows activity or has answered', async () => {
  const { giveUp, watch } = watching();
  void watch.over(never());
  for (let sign = 0; sign < 10; sign += 1) {
    vi.advanceTimersByTime(20_000);
    watch.alive();
  }
  expect(giveUp).not.toHaveBeenCalled();
  watch.stop();
  const other = watching();
  await other.watch.over(Promise.resolve());
  vi.advanceTimersByTime(60_000);
  expect(other.giveUp).not.toHaveBeenCalled();
  other.watch.stop();
});

test('the watch does not count the time in which the user enters a password', () => {
  const { giveUp, watch } = watching();
  void watch.over(never());
  watch.rest(true);
  vi.advanceTimersByTime(600_000);
  expect(giveUp).not.toHaveBeenCalled();
  watch.rest(false);
  vi.advanceTimersByTime(60_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

test('the watch gives up on an endless drawing despite its activity', () => {
  const { giveUp, watch } = watching();
  const step = watch.counted();
  for (let count = 0; count < 600; count += 1) step();
  expect(giveUp).not.toHaveBeenCalled();
  step();
  expect(giveUp).toHaveBeenCalledTimes(1);
});
