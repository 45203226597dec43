import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { holdBytes, HeldCache } from './held-bytes.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'matterdesk-held-'));
const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));

afterAll(() => rmSync(directory, { recursive: true }));

function* inPieces(whole: Buffer) {
  for (let at = 0; at < whole.length; at += 70_000) yield whole.subarray(at, at + 70_000);
}

const hold = (whole: Buffer, most = 4_000_000) =>
  holdBytes(
    (async function* body() {
      yield* inPieces(whole);
    })(),
    { directory, most, tooLarge: () => new Error('too large') },
  );

/** Files of the directory that this process has open, named or not. */
const openFiles = () =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((file) => file.startsWith(directory));

test.each([
  ['large', bytes],
  ['small', bytes.subarray(0, 1000)],
  ['no', bytes.subarray(0, 0)],
])('%s bytes are read whole and in part, again and again', async (_, content) => {
  const held = await hold(content);
  expect(held.size).toBe(content.length);
  expect(readdirSync(directory)).toEqual([]);
  for (const range of [undefined, { start: 10, end: 99 }, { start: 900, end: 2_500_000 }]) {
    const expected = content.subarray(range?.start ?? 0, (range?.end ?? content.length) + 1);
    expect((await buffer(held.open(range))).equals(expected)).toBe(true);
  }
  await held.release();
  expect(openFiles()).toEqual([]);
});

test('a file ends when its last reader has ended or left', async () => {
  const held = await hold(bytes);
  const [left, kept] = [held.open(), held.open()];
  left.once('data', () => left.destroy());
  await new Promise((resolve) => left.once('close', resolve));
  held.open().destroy();
  await held.release();
  expect(openFiles()).toHaveLength(1);
  expect((await buffer(kept)).equals(bytes)).toBe(true);
  await eventually(() => expect(openFiles()).toEqual([]));
});

test('too many bytes are refused, and nothing of them is left', async () => {
  await expect(hold(bytes, 2_000_000)).rejects.toThrow('too large');
  expect(openFiles()).toEqual([]);
});

test('a cache reads once for parallel callers, and ends what is used least', async () => {
  const cache = new HeldCache();
  let reads = 0;
  const take = (key: string) =>
    cache.take(key, async () => {
      reads += 1;
      return { bytes: await hold(bytes) };
    });
  const [first, second] = await Promise.all([take('a'), take('a')]);
  expect([reads, first.bytes === second.bytes]).toEqual([1, true]);
  await Promise.all([first.bytes.release(), second.bytes.release()]);
  for (let index = 0; index < 40; index += 1) await (await take(`b${index}`)).bytes.release();
  // 64 MiB hold 22 of three million bytes.
  await eventually(() => expect(openFiles()).toHaveLength(22));
  await (await take('a')).bytes.release();
  expect(reads).toBe(42);
  cache.close();
  await eventually(() => expect(openFiles()).toEqual([]));
});
