import { createHash, type Hash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Codec } from './encryption.ts';

/** SHA-256 in hexadecimal, by relative path with forward slashes. */
export type FileHashes = Map<string, string>;

export type CopyOptions = {
  /** Called for each relative path; false skips it with everything below. */
  takes?: (relative: string) => boolean;
  /** Transforms each file's bytes on their way. */
  codec?: ((relative: string) => Codec) | undefined;
  /** Whether checksums are of the files that are read, instead of the copies. */
  sumsOriginals?: boolean;
};

const CHUNK = 1 << 20;

/**
 * Copies a directory privately, flushes it to disk and computes checksums of the copies. Files that
 * disappear meanwhile are skipped: their writer also logs the change.
 */
export async function copyTree(
  from: string,
  to: string,
  { takes = () => true, codec, sumsOriginals = false }: CopyOptions = {},
): Promise<FileHashes> {
  const sums: FileHashes = new Map();
  const directories: string[] = [];
  const buffer = newBuffer();
  async function copyDirectory(relative: string) {
    directories.push(path.join(to, relative));
    await fs.mkdir(path.join(to, relative), { recursive: true, mode: 0o700 });
    for (const entry of await list(path.join(from, relative))) {
      const below = path.posix.join(relative, entry.name);
      if (!takes(below)) continue;
      if (entry.isDirectory()) await copyDirectory(below);
      if (!entry.isFile()) continue;
      const passing = { buffer, codec: codec?.(below), sumsOriginals };
      const sum = await copyFile(path.join(from, below), path.join(to, below), passing);
      if (sum) sums.set(below, sum);
    }
  }
  await copyDirectory('');
  // Flushed together at the end: one by one, each would wait for the disk.
  for (const below of sums.keys()) await sync(path.join(to, below));
  for (const directory of directories) await sync(directory);
  return sums;
}

async function list(directory: string): Promise<Dirent[]> {
  return (await ifThere(fs.readdir(directory, { withFileTypes: true }))) ?? [];
}

type CopyFileOptions = { buffer: Buffer; codec: Codec | undefined; sumsOriginals: boolean };

/** @returns its checksum, or undefined when it disappeared */
async function copyFile(
  from: string,
  to: string,
  { buffer, codec, sumsOriginals }: CopyFileOptions,
): Promise<string | undefined> {
  await using source = await ifThere(fs.open(from));
  if (!source) return undefined;
  await using target = await fs.open(to, 'wx', 0o600);
  const copied = createHash('sha256');
  const write = async (portions: Buffer[]) => {
    for (const bytes of portions) {
      copied.update(bytes);
      await target.writeFile(bytes);
    }
  };
  const original = await drain(source, buffer, (bytes) => write(codec?.update(bytes) ?? [bytes]));
  await write(codec?.end() ?? []);
  return sumsOriginals ? original : copied.digest('hex');
}

/** Checksums of files on disk. */
export async function sumTree(directory: string): Promise<FileHashes> {
  const sums: FileHashes = new Map();
  const buffer = newBuffer();
  const entries = await fs.readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    sums.set(path.relative(directory, file), await sumFile(file, buffer));
  }
  return sums;
}

export async function sumFile(file: string, buffer = newBuffer()): Promise<string> {
  await using source = await fs.open(file);
  return await drain(source, buffer, async () => undefined);
}

/** One for all files that are read after each other: one for each kept the collector of garbage busy for half of a backup. */
function newBuffer(): Buffer {
  return Buffer.allocUnsafe(CHUNK);
}

async function drain(
  source: fs.FileHandle,
  buffer: Buffer,
  take: (bytes: Buffer) => Promise<void>,
): Promise<string> {
  const hash: Hash = createHash('sha256');
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return hash.digest('hex');
    const bytes = buffer.subarray(0, bytesRead);
    hash.update(bytes);
    await take(bytes);
  }
}

/** Writes and flushes a new file and returns its checksum. */
export async function writeNew(file: string, content: string, codec?: Codec): Promise<string> {
  const plain = Buffer.from(content);
  const bytes = codec ? Buffer.concat([...codec.update(plain), ...codec.end()]) : plain;
  await fs.writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });
  return createHash('sha256').update(bytes).digest('hex');
}

/** Flushes a file, or a directory's names, to disk. */
export async function sync(place: string): Promise<void> {
  await using handle = await fs.open(place);
  await handle.sync();
}

/** Undefined for missing files. */
export async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
