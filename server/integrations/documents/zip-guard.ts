import { fromBuffer } from 'yauzl';
import { reasons, UnreadableDocument } from './messages.ts';

/** Unpacked size limit of an office file, in bytes. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/**
 * Reads a zip's directory only, so that a bomb is refused before unpacking.
 * @throws Unreadable
 */
export async function refuseBombs(
  bytes: Buffer,
  what: string,
  largest = MAX_UNPACKED_BYTES,
): Promise<void> {
  const names = new Set<string>();
  await new Promise<void>((resolve, reject) => {
    let total = 0;
    const refuse = (reason: string) => reject(new UnreadableDocument(reason));
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) return refuse(reasons.broken(what));
      zip.on('error', () => refuse(reasons.broken(what)));
      zip.on('end', () => resolve());
      zip.on('entry', (entry: { uncompressedSize: number; fileName: string }) => {
        total += entry.uncompressedSize;
        names.add(entry.fileName);
        if (total > largest || zip.entryCount > MAX_ENTRIES) return refuse(reasons.tooMuch);
        zip.readEntry();
      });
      zip.readEntry();
    });
  });
  if (names.size === 0) throw new UnreadableDocument(reasons.broken(what));
}
