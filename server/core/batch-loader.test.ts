import { expect, test, vi } from 'vitest';
import { BatchLoader } from './batch-loader.ts';

type Pending = { keys: string[]; done: PromiseWithResolvers<Map<string, string>> };

function open() {
  const loads: Pending[] = [];
  const batched = new BatchLoader((keys: string[]) => {
    const done = Promise.withResolvers<Map<string, string>>();
    loads.push({ keys, done });
    return done.promise;
  });
  const answer = (index: number) => {
    const load = loads[index];
    load?.done.resolve(new Map(load.keys.map((key) => [key, `${key} of load ${index}`])));
  };
  return { batched, loads, answer };
}

test('a batched load loads what is asked for during a load at once, and after it', async () => {
  const { batched, loads, answer } = open();
  const first = batched.get('one');
  const later = ['one', 'two', 'three', 'two'].map((key) => batched.get(key));
  expect(loads.map(({ keys }) => keys)).toEqual([['one']]);
  answer(0);
  expect(await first).toBe('one of load 0');
  await vi.waitFor(() => expect(loads).toHaveLength(2));
  expect(loads[1]?.keys).toEqual(['one', 'two', 'three']);
  answer(1);
  expect(await Promise.all(later)).toEqual([
    'one of load 1',
    'two of load 1',
    'three of load 1',
    'two of load 1',
  ]);
});

test('a batched load finds nothing for a key without a value', async () => {
  const batched = new BatchLoader(() => Promise.resolve(new Map<string, string>()));
  expect(await batched.get('none')).toBeUndefined();
});

test('a failing batched load fails only for its own callers', async () => {
  const { batched, loads, answer } = open();
  const first = batched.get('one');
  const second = batched.get('two');
  loads[0]?.done.reject(new Error('the connection broke'));
  await expect(first).rejects.toThrow('the connection broke');
  await vi.waitFor(() => expect(loads).toHaveLength(2));
  answer(1);
  expect(await second).toBe('two of load 1');
});

test('a batched load goes on beside a load that does not end', async () => {
  vi.useFakeTimers();
  const { batched, loads, answer } = open();
  const stuck = batched.get('one');
  const next = batched.get('two');
  vi.runAllTimers();
  vi.useRealTimers();
  answer(1);
  expect(await next).toBe('two of load 1');
  const third = batched.get('three');
  answer(2);
  expect(await third).toBe('three of load 2');
  answer(0);
  expect(await stuck).toBe('one of load 0');
  expect(loads).toHaveLength(3);
});
