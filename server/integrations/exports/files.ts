// Files of an export, from a folder or from uploads.

import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { type SourceFile, UnreadableExport } from './source.ts';

/** Far more than a firm has. */
const MAX_FILES = 1_000_000;
const MAX_DEPTH = 60;

/** Files that operating systems and office programs leave behind. */
const LEFTOVER = /^(?:\.ds_store|thumbs\.db|desktop\.ini|__macosx|~\$.*|\._.*|\.~lock\..*#)$/i;

/** True for what no one wrote, at any depth. */
function isLeftover(filePath: string): boolean {
  return filePath.split('/').some((segment) => LEFTOVER.test(segment));
}

/**
 * Files below a folder, in the order of their paths; those of a .zip right in it take its place. Links are not followed.
 * @throws UnreadableExport
 */
export async function openFolder(dir: string): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  await walk(dir, [], found);
  return expandArchives(found);
}

async function walk(dir: string, above: readonly string[], found: SourceFile[]): Promise<void> {
  if (above.length > MAX_DEPTH) throw new UnreadableExport('The folder is nested too deeply');
  for await (const entry of await opendir(path.join(dir, ...above))) {
    const segments = [...above, entry.name];
    if (LEFTOVER.test(entry.name)) continue;
    if (entry.isDirectory()) await walk(dir, segments, found);
    if (!entry.isFile()) continue;
    found.push(await fileAt(path.join(dir, ...segments), segments.join('/')));
    if (found.length > MAX_FILES) throw new UnreadableExport('The folder has too many files');
  }
}

/** A file on this machine. @param location is not followed if it is a link */
export async function fileAt(location: string, name: string): Promise<SourceFile> {
  const handle = await openSafely(location);
  const { size, mtimeMs } = await handle.stat();
  await handle.close();
  const openAt = async (start: number, end?: number): Promise<Readable> => {
    const opened = await openSafely(location);
    return opened.createReadStream({ start, ...(end !== undefined && { end: end - 1 }) });
  };
  const mark = `changed ${mtimeMs}`;
  return { path: normalized(name), size, mark, open: () => openAt(0), openAt };
}

function openSafely(location: string) {
  return open(location, constants.O_RDONLY | constants.O_NOFOLLOW);
}

/**
 * Replaces each .zip by its files. In the order of their paths.
 * @throws UnreadableExport
 */
export async function expandArchives(uploads: readonly SourceFile[]): Promise<SourceFile[]> {
  const files = new Map<string, SourceFile>();
  for (const upload of uploads.toSorted(byPath)) {
    const isArchive = /^[^/]+\.zip$/i.test(upload.path);
    for (const file of isArchive ? await openArchive(upload) : [upload]) {
      if (isLeftover(file.path)) continue;
      // Two archives may both have a contacts.csv.
      const folder = upload.path.replace(/\.zip$/i, '');
      const path = files.has(file.path) ? `${folder}/${file.path}` : file.path;
      files.set(path, { ...file, path });
    }
    if (files.size > MAX_FILES) throw new UnreadableExport('The export has too many files');
  }
  return [...files.values()].toSorted(byPath);
}

function byPath(a: SourceFile, b: SourceFile): number {
  return a.path < b.path ? -1 : 1;
}

// Files within a zip, read where they are.

const MAX_ENTRIES = 250_000;
/** A zip that unpacks to more is refused if it also grows by more than real files do. */
const HARMLESS = 1024 ** 3;
const MAX_GROWTH = 200;
const STORED = 0;
const LINK = 0o12;

/** @throws UnreadableExport for a damaged, a locked or a harmful zip */
async function openArchive(archive: SourceFile): Promise<SourceFile[]> {
  const { openAt, size, path } = archive;
  if (!openAt) throw new UnreadableExport(`Unpack ${path} first`);
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
  const zip = await orBroken(
    path,
    fromRandomAccessReaderPromise(new Ranges(openAt), size, options),
  );
  if (zip.entryCount > MAX_ENTRIES) throw new UnreadableExport(`${path} has too many files`);
  const entries = await orBroken(path, Array.fromAsync(zip.eachEntry()));
  requireHarmless(entries, archive);
  return entries.flatMap((entry) => (isFile(entry) ? [fileOf(zip, entry)] : []));
}

/** A zip with paths that lead out of it is damaged, too. */
async function orBroken<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const message = `${path} is damaged or isn’t a zip file`;
    throw new UnreadableExport(message, { cause: error });
  }
}

/** Opens ranges of a file that may be on another machine. */
class Ranges extends RandomAccessReader {
  readonly #open: NonNullable<SourceFile['openAt']>;

  constructor(open: NonNullable<SourceFile['openAt']>) {
    super();
    this.#open = open;
  }

  override _readStreamForRange(start: number, end: number): PassThrough {
    const out = new PassThrough();
    this.#open(start, end).then(
      (stream) => {
        stream.on('error', (error) => out.destroy(error));
        out.on('close', () => stream.destroy());
        stream.pipe(out);
      },
      (error: unknown) => out.destroy(error as Error),
    );
    return out;
  }
}

function requireHarmless(entries: readonly Entry[], { path, size }: SourceFile): void {
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0);
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  const isBomb = unpacked > HARMLESS && unpacked > MAX_GROWTH * size;
  // Entries that overlap are a bomb that grows by more than deflate can.
  if (isBomb || packed > size)
    throw new UnreadableExport(
      `${path} expands to far more than its size, so it may be damaged or harmful`,
    );
  if (entries.some((entry) => entry.isEncrypted()))
    throw new UnreadableExport(`${path} is password-protected. Unpack it first.`);
}

function isFile({ fileName, externalFileAttributes }: Entry): boolean {
  return !fileName.endsWith('/') && externalFileAttributes >>> 28 !== LINK;
}

function fileOf(zip: ZipFile, entry: Entry): SourceFile {
  const path = normalized(entry.fileName);
  const open = (part = {}) => orBroken(path, zip.openReadStreamPromise(entry, part));
  return {
    path,
    size: entry.uncompressedSize,
    mark: `CRC-32 ${entry.crc32}`,
    open: () => open(),
    ...(entry.compressionMethod === STORED && {
      openAt: (start: number, end: number) => open({ start, end }),
    }),
  };
}
