import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Readable } from 'node:stream';
import type { S3Config } from '../../config.ts';
import { StorageFull, type BlobStore, type ByteRange } from './blob-store.ts';

/** 8 MiB: with three parts on their way the memory stays flat, and 10,000 parts make 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;

/** Any store that speaks S3, by path-style addresses. */
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
      // Streams of unknown length with trailing checksums are refused by stores other than Amazon's.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async write(key: string, source: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: key, Body: source },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    // A source that breaks must not become a whole object: the parts are thrown away.
    source.once('error', () => void upload.abort());
    try {
      await upload.done();
    } catch (error) {
      const name = (error as { name?: unknown } | null)?.name;
      if (name === 'QuotaExceeded' || name === 'InsufficientStorage')
        throw new StorageFull('the file store is full', { cause: error });
      throw source.errored ?? error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const { Body: body } = await this.#client.send(
      new GetObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      }),
    );
    if (!body) throw new Error('the file store answered without a body');
    return body as Readable;
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async ping(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
  }
}
