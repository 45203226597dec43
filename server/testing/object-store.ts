import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../config.ts';
import { unique } from './factories.ts';

/** Why S3 tests are skipped, or undefined when a server was named. */
export const noObjectStore = process.env['S3_TEST_ENDPOINT']
  ? undefined
  : 'no S3 server: install Debian’s radosgw, ceph-mon and ceph-osd, or name one in S3_TEST_ENDPOINT';

/** A new bucket on the server of S3_TEST_ENDPOINT, with access to its internals. */
export type Bucket = {
  config: S3Config;
  /** Keys of complete objects. */
  keys: () => Promise<string[]>;
  /** Multipart uploads that were neither completed nor aborted. */
  unfinished: () => Promise<number>;
};

export async function makeBucket(): Promise<Bucket> {
  const config: S3Config = {
    endpoint: process.env['S3_TEST_ENDPOINT'] ?? '',
    bucket: `matterdesk-${process.pid}-${Date.now()}-${unique()}`,
    region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
    accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? '',
  };
  const { endpoint, region, accessKeyId, secretAccessKey, bucket: Bucket } = config;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    config,
    async keys() {
      const { Contents: contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return contents.flatMap(({ Key: key }) => key ?? []);
    },
    async unfinished() {
      const { Uploads: uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket }),
      );
      return uploads.length;
    },
  };
}
