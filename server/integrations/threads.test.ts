import { afterAll, expect, test } from 'vitest';
import { Threads } from './threads.ts';

const threads = new Threads(40);
const file = new URL('../testing/thread-tasks.ts', import.meta.url);
const open = (name: string, timeoutMs?: number) =>
  threads.open<{ number: number }, number>({
    file,
    name,
    ...(timeoutMs && { timeoutMs }),
  });
const double = open('double');

afterAll(() => threads.close());

test('a thread answers with what a task returns, and fails with what it throws', async () => {
  expect(await double({ number: 21 })).toBe(42);
  await expect(open('refuse')({ number: 0 })).rejects.toThrow('refused');
});

test('a thread ends a task that hangs, and goes on with the next', async () => {
  const hang = open('hang', 200);
  const both = await Promise.allSettled([hang({ number: 1 }), hang({ number: 2 })]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await double({ number: 1 })).toBe(2);
});

test('a thread ends a task when its caller leaves', async () => {
  const left = new AbortController();
  const hanging = open('hang')({ number: 1 }, { signal: left.signal });
  left.abort();
  await expect(hanging).rejects.toThrow('aborted');
  expect(await double({ number: 2 })).toBe(4);
});

test('a thread ends a task that takes too much memory, and nothing else', async () => {
  const full = open('fill')({ number: 1 });
  expect(await double({ number: 3 })).toBe(6);
  await expect(full).rejects.toThrow(/memory/);
  expect(await double({ number: 4 })).toBe(8);
});
