// Files of an export, from a folder or from uploads.

import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { openArchive } from './archives.ts';
import { type SourceFile, UnreadableExport } from './row.ts';

/** Far more than a firm has. */
const FILES_MAX = 1_000_000;
const DEPTH_MAX = 60;

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
  return openUploads(found);
}

async function walk(dir: string, above: readonly string[], found: SourceFile[]): Promise<void> {
  if (above.length > DEPTH_MAX) throw new UnreadableExport('The folder is nested too deeply');
  for await (const entry of await opendir(path.join(dir, ...above))) {
    const segments = [...above, entry.name];
    if (LEFTOVER.test(entry.name)) continue;
    if (entry.isDirectory()) await walk(dir, segments, found);
    if (!entry.isFile()) continue;
    found.push(await fileAt(path.join(dir, ...segments), segments.join('/')));
    if (found.length > FILES_MAX) throw new UnreadableExport('The folder has too many files');
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
 * Files that were uploaded, in the order of their paths; those of a .zip take its place.
 * @throws UnreadableExport
 */
export async function openUploads(uploads: readonly SourceFile[]): Promise<SourceFile[]> {
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
    if (files.size > FILES_MAX) throw new UnreadableExport('The export has too many files');
  }
  return [...files.values()].toSorted(byPath);
}

function byPath(a: SourceFile, b: SourceFile): number {
  return a.path < b.path ? -1 : 1;
}
