import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makingRoom } from './pace.ts';

const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Simulates a server that worked for that share of the time. */
function working(utilization: number) {
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({
    utilization,
    active: 0,
    idle: 0,
  });
}

/** A piece of background work of 100 ms, and whether it has made room. */
function start(signal = never) {
  const state = { isDone: false };
  const work = async () => {
    await vi.advanceTimersByTimeAsync(100);
    return 'found';
  };
  const result = makingRoom(work, signal).finally(() => (state.isDone = true));
  return { state, result };
}

test('a round goes on at once while the server is idle', async () => {
  working(0.4);
  const { result } = start();
  expect(await result).toBe('found');
});

test('rests three times as long as it took while the server is busy', async () => {
  working(0.6);
  const { state, result } = start();
  await vi.advanceTimersByTimeAsync(290);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(await result).toBe('found');
});

test('a round ends its rest when the server stops', async () => {
  working(0.9);
  const stopping = new AbortController();
  const { result } = start(stopping.signal);
  await vi.advanceTimersByTimeAsync(10);
  stopping.abort();
  expect(await result).toBe('found');
});
