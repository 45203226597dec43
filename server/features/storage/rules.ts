import type { DiskSpace } from '../../integrations/blobs/blob-store.ts';

const GIBIBYTE = 1024 ** 3;
/** Part of the disk that uploads leave free: 5 % or 2 GiB, whichever is less. */
const RESERVED_SHARE = 0.05;
const MAX_RESERVED_BYTES = 2 * GIBIBYTE;
/** The share of the space that counts as low. */
const LOW_SHARE = 0.1;

/** In bytes. */
export type StorageUse = {
  /** Stored, the trash included. */
  used: number;
  /** Bytes that running uploads may still bring. */
  underWay: number;
};
/** Limits of the storage: MAX_STORAGE_GB in bytes, and the disk. */
export type Bounds = { limit: number | undefined; disk: DiskSpace | undefined };

/** Bytes left for further uploads, negative when a bound is exceeded; undefined without bounds. */
export function bytesLeft(
  { used, underWay }: StorageUse,
  { limit, disk }: Bounds,
): number | undefined {
  const left = [];
  if (limit !== undefined) left.push(limit - used);
  if (disk) left.push(disk.free - Math.min(disk.total * RESERVED_SHARE, MAX_RESERVED_BYTES));
  return left.length === 0 ? undefined : Math.floor(Math.min(...left)) - underWay;
}

/** True if a tenth or less of the limit or of the disk is left. */
export function isLow({ used }: Pick<StorageUse, 'used'>, { limit, disk }: Bounds): boolean {
  return (
    (limit !== undefined && limit - used <= limit * LOW_SHARE) ||
    (disk !== undefined && disk.free <= disk.total * LOW_SHARE)
  );
}
