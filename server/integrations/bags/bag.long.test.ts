import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeBag, type PayloadFile } from './bag.ts';

const GIGABYTE = 1_000_000_000;

/** That many zeros. */
function zeros(size: number): PayloadFile['open'] {
  const block = Buffer.alloc(65_536);
  return async () =>
    Readable.from(
      (function* () {
        for (let sent = 0; sent < size; sent += block.length)
          yield block.subarray(0, Math.min(block.length, size - sent));
      })(),
      { objectMode: false },
    );
}

test('a bag takes 3,000 files and one of 6 GB', async () => {
  const at = new Date();
  const large = { path: 'video.mp4', size: 6 * GIGABYTE, at, open: zeros(6 * GIGABYTE) };
  const open = zeros(1000);
  const small = Array.from({ length: 3000 }, (_, n) => ({
    path: `${n}.txt`,
    size: 1000,
    at,
    open,
  }));
  const { signal } = new AbortController();
  const { volumes, written } = writeBag({
    name: 'Large',
    payload: [...small, large],
    info: () => ({}),
    at,
    signal,
  });
  let total = 0;
  for await (const { bytes } of volumes) {
    for await (const chunk of bytes as AsyncIterable<Buffer>) total += chunk.length;
  }
  expect(total).toBeGreaterThan(6 * GIGABYTE);
  expect(await written).toMatchObject({ files: 3001, bytes: 6 * GIGABYTE + 3_000_000 });
}, 900_000);
