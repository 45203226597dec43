import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from './pace.ts';

const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A piece of background work of 100 ms, and whether it has rested. */
function start(pace: Pace, signal = never) {
  const state = { isDone: false };
  const work = async () => {
    await vi.advanceTimersByTimeAsync(100);
    return 'found';
  };
  const result = pace.give(work, signal).finally(() => (state.isDone = true));
  return { state, result };
}

function paceWith({ peers = false } = {}): Pace {
  return new Pace(async () => peers);
}

/** A pace after a request that has just ended. */
function servingPace(): Pace {
  const pace = paceWith();
  pace.begin();
  pace.end();
  return pace;
}

test('background work goes on at once while no one is served', async () => {
  const { result } = start(paceWith());
  expect(await result).toBe('found');
});

test('background work rests four times as long as it took after a request', async () => {
  const { state, result } = start(servingPace());
  await vi.advanceTimersByTimeAsync(390);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(await result).toBe('found');
});

test('background work takes at most a fifth of the time while requests keep coming', async () => {
  const pace = paceWith();
  pace.begin();
  const begunAt = performance.now();
  let worked = 0;
  for (let piece = 1; piece <= 10; piece += 1) {
    const given = pace.give(async () => {
      await vi.advanceTimersByTimeAsync(piece * 70);
      worked += piece * 70;
    }, never);
    await vi.advanceTimersByTimeAsync(piece * 70 * 5);
    await given;
  }
  expect(worked / (performance.now() - begunAt)).toBeLessThanOrEqual(0.2);
});

test('a rest ends once no one was served for five seconds', async () => {
  const pace = servingPace();
  const { state, result } = start(pace);
  const long = pace.give(() => vi.advanceTimersByTimeAsync(2000).then(() => 'long'), never);
  await result;
  expect(state.isDone).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await long).toBe('long');
});

test('a long request counts until it ends', async () => {
  const pace = paceWith();
  pace.begin();
  await vi.advanceTimersByTimeAsync(60_000);
  const { state, result } = start(pace);
  await vi.advanceTimersByTimeAsync(200);
  expect(state.isDone).toBe(false);
  expect(pace.quiet).toBe(0);
  await vi.advanceTimersByTimeAsync(250);
  await result;
  pace.end();
  await vi.advanceTimersByTimeAsync(7000);
  expect(pace.quiet).toBe(7000);
  expect(pace.served).toBe(1);
});

test('other processes on the database are taken for serving someone', async () => {
  const { state, result } = start(paceWith({ peers: true }));
  await vi.advanceTimersByTimeAsync(390);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  await result;
});

test('a rest ends when the server stops', async () => {
  const stopping = new AbortController();
  const { result } = start(servingPace(), stopping.signal);
  await vi.advanceTimersByTimeAsync(10);
  stopping.abort();
  expect(await result).toBe('found');
});
