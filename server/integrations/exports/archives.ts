// Files within a zip, read where they are.

import { PassThrough } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { type SourceFile, UnreadableExport } from './row.ts';

const ENTRIES_MAX = 250_000;
/** A zip that unpacks to more is refused if it also grows by more than real files do. */
const HARMLESS = 1024 ** 3;
const GROWTH_MAX = 200;
const STORED = 0;
const LINK = 0o12;

/** @throws UnreadableExport for a damaged, a locked or a harmful zip */
export async function openArchive(archive: SourceFile): Promise<SourceFile[]> {
  const { openAt, size, path } = archive;
  if (!openAt) throw new UnreadableExport(`Unpack ${path} first`);
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
  const zip = await orBroken(
    path,
    fromRandomAccessReaderPromise(new Ranges(openAt), size, options),
  );
  if (zip.entryCount > ENTRIES_MAX) throw new UnreadableExport(`${path} has too many files`);
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
  const isBomb = unpacked > HARMLESS && unpacked > GROWTH_MAX * size;
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
