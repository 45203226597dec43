import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Config } from '../../config.ts';
import {
  BlobMissing,
  StorageAway,
  StorageFull,
  type BlobStore,
  type ByteRange,
} from './blob-store.ts';

/** 8 MiB: three parallel parts keep memory flat, and 10,000 parts hold 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
/** Milliseconds until an unresponsive store counts as away. */
const CONNECT_TIMEOUT_MS = 5000;
const PING_TIMEOUT_MS = 5000;

/** Any S3-compatible store, by path-style addresses. */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config) {
    this.#bucket = bucket;
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS },
      // Stores other than Amazon's refuse streams of unknown length with trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async write(key: string, source: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      // The library trusts a stream's `size`, which may count only the bytes so far.
      params: { Bucket: this.#bucket, Key: key, Body: Readable.from(source) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    // A failed source must not become an object, so its parts are discarded.
    source.once('error', () => void upload.abort());
    try {
      await upload.done();
    } catch (error) {
      const broken = source.errored;
      source.destroy();
      throw broken ?? toFailure(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const asked = {
      Bucket: this.#bucket,
      Key: key,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    };
    const { Body: body } = await this.#client.send(new GetObjectCommand(asked)).catch(refuse);
    if (!body) throw new StorageAway('the file store answered without a body');
    return body as Readable;
  }

  async remove(key: string): Promise<void> {
    const asked = { Bucket: this.#bucket, Key: key };
    await this.#client.send(new DeleteObjectCommand(asked)).catch(refuse);
  }

  async ping(): Promise<void> {
    const abortSignal = AbortSignal.timeout(PING_TIMEOUT_MS);
    await this.#client
      .send(new HeadBucketCommand({ Bucket: this.#bucket }), { abortSignal })
      .catch(refuse);
  }

  async measure(): Promise<undefined> {
    return undefined;
  }
}

function refuse(error: unknown): never {
  throw toFailure(error);
}

/** Maps the library's errors; the message is for the log. */
function toFailure(error: unknown): Error {
  const name = (error as { name?: unknown } | null)?.name;
  if (name === 'QuotaExceeded' || name === 'InsufficientStorage')
    return new StorageFull('the file store is full', { cause: error });
  if (name === 'NoSuchKey') return new BlobMissing('no such object', { cause: error });
  return new StorageAway(`the file store failed: ${String(error)}`, { cause: error });
}
