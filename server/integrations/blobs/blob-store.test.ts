import { createHash, randomBytes, randomUUID, type Hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { makeBucket, noObjectStore } from '../../testing/object-store.ts';
import { freePort } from '../../testing/process.ts';
import { filesBelow } from '../../testing/uploads.ts';
import { BlobMissing, StorageAway, type BlobStore, Meter } from './blob-store.ts';
import { DiskBlobStore } from './disk.ts';
import { S3BlobStore } from './s3.ts';

const MEBIBYTE = 1024 * 1024;

/** A store with access to its internals. */
type Place = {
  store: BlobStore;
  /** Stored blobs, and parts of unfinished ones. */
  holds: () => Promise<{ blobs: number; pieces: number }>;
  close: () => Promise<void>;
};

async function openDisk(): Promise<Place> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'matterdesk-blobs-'));
  return {
    store: await DiskBlobStore.open(root),
    async holds() {
      const pieces = (await filesBelow(path.join(root, 'incoming'))).length;
      return { blobs: (await filesBelow(root)).length - pieces, pieces };
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function openBucket(): Promise<Place> {
  const bucket = await makeBucket();
  return {
    store: new S3BlobStore(bucket.config),
    holds: async () => ({
      blobs: (await bucket.keys()).length,
      pieces: await bucket.unfinished(),
    }),
    close: async () => undefined,
  };
}

/** That many bytes, generated on demand. */
function noise(bytes: number, hash?: Hash): Readable {
  const block = randomBytes(MEBIBYTE);
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < bytes; sent += block.length) {
        block.writeUInt32LE(sent / block.length, 0);
        const piece = Buffer.from(block.subarray(0, Math.min(block.length, bytes - sent)));
        hash?.update(piece);
        yield piece;
      }
    })(),
    { objectMode: false },
  );
}

/** A source that fails after that many bytes. */
function broken(bytes: number): Readable {
  const source = noise(bytes);
  return Readable.from(
    (async function* () {
      yield* source as AsyncIterable<Buffer>;
      throw new Error('the sender disconnected');
    })(),
    { objectMode: false },
  );
}

const kinds = [
  { kind: 'a disk', open: openDisk, why: undefined },
  { kind: `S3${noObjectStore ? ` (${noObjectStore})` : ''}`, open: openBucket, why: noObjectStore },
];

for (const { kind, open, why } of kinds) {
  describe.skipIf(why)(`files on ${kind}`, () => {
    let place: Place;
    beforeAll(async () => {
      place = await open();
    });
    afterAll(() => place?.close());

    const readAll = async (key: string) => buffer(await place.store.read(key));

    it.each([0, 1, 5 * MEBIBYTE, 8 * MEBIBYTE, 8 * MEBIBYTE + 1, 17 * MEBIBYTE])(
      'return %i bytes unchanged',
      async (size) => {
        const key = randomUUID();
        const bytes = randomBytes(size);
        await place.store.write(key, Readable.from(size === 0 ? [] : [bytes]));
        expect((await readAll(key)).equals(bytes)).toBe(true);
        await place.store.remove(key);
      },
    );

    it('accept all bytes of a source that counts what has passed', async () => {
      const key = randomUUID();
      const meter = new Meter(100);
      await place.store.write(key, noise(17 * MEBIBYTE).pipe(meter));
      expect(
        createHash('sha256')
          .update(await readAll(key))
          .digest(),
      ).toEqual(meter.sha256());
      expect(meter.size).toBe(17 * MEBIBYTE);
      await place.store.remove(key);
    });

    it('return ranges', async () => {
      const key = randomUUID();
      const bytes = randomBytes(100_000);
      await place.store.write(key, Readable.from([bytes]));
      for (const [start, end] of [
        [0, 0],
        [10, 19],
        [70_000, 99_999],
      ] as const) {
        const part = await buffer(await place.store.read(key, { start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
      await place.store.remove(key);
    });

    it('can be removed, and are reported missing afterwards', async () => {
      const key = randomUUID();
      await place.store.write(key, Readable.from([Buffer.from('words')]));
      await place.store.remove(key);
      await expect(place.store.read(key)).rejects.toBeInstanceOf(BlobMissing);
      await place.store.remove(key);
      await place.store.remove(randomUUID());
    });

    it.each([0, 1000, 20 * MEBIBYTE])(
      'are not kept when a source fails after %i bytes, and the error is passed on',
      async (size) => {
        const before = await place.holds();
        const key = randomUUID();
        await expect(place.store.write(key, broken(size))).rejects.toThrow(
          'the sender disconnected',
        );
        // Parts that were under way are discarded when they have arrived.
        await eventually(async () => expect(await place.holds()).toEqual(before));
        await expect(place.store.read(key)).rejects.toBeInstanceOf(BlobMissing);
      },
    );

    it('stream 200 MB both ways', async () => {
      const key = randomUUID();
      const [sent, got] = [createHash('sha256'), createHash('sha256')];
      await place.store.write(key, noise(200 * MEBIBYTE, sent));
      for await (const piece of await place.store.read(key)) got.update(piece as Buffer);
      expect(got.digest('hex')).toBe(sent.digest('hex'));
      await place.store.remove(key);
      expect((await place.holds()).pieces).toBe(0);
    });

    it('report that the store is reachable', async () => {
      await expect(place.store.ping()).resolves.toBeUndefined();
    });
  });
}

describe('an unreachable store', () => {
  it('is away for every call', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const store = new S3BlobStore({
      endpoint,
      bucket: 'none',
      region: 'us-east-1',
      accessKeyId: 'x',
      secretAccessKey: 'y',
    });
    const source = noise(20 * MEBIBYTE);
    const ask = [
      () => store.ping(),
      () => store.read('a'),
      () => store.remove('a'),
      () => store.write('a', source),
    ];
    for (const asked of ask) await expect(asked()).rejects.toBeInstanceOf(StorageAway);
    expect(source.destroyed).toBe(true);
  });

  it('is away when its directory was removed', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'matterdesk-blobs-'));
    const store = await DiskBlobStore.open(root);
    await rm(root, { recursive: true });
    await expect(store.ping()).rejects.toBeInstanceOf(StorageAway);
    const source = Readable.from([Buffer.from('words')]);
    await expect(store.write('ab', source)).rejects.toBeInstanceOf(StorageAway);
    expect(source.destroyed).toBe(true);
  });
});

describe.skipIf(noObjectStore)('a store that denies access', () => {
  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }],
    ['an unknown key', { accessKeyId: 'unknown' }],
    ['a bucket that is not there', { bucket: 'there-is-none' }],
  ])('is away with %s', async (_what, wrong) => {
    const { config } = await makeBucket();
    const store = new S3BlobStore({ ...config, ...wrong });
    await expect(store.ping()).rejects.toBeInstanceOf(StorageAway);
    const source = Readable.from([Buffer.from('words')]);
    await expect(store.write('a', source)).rejects.toBeInstanceOf(StorageAway);
  });
});
