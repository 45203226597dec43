// The scanner's folder: which file is which, and why one stays.

import type { Stats } from 'node:fs';
import { Refusal } from '../../core/refusal.ts';

/** Files of the folder that one look takes in. */
export const MOST_FILES = 1000;

export const FOLDER_AWAY =
  'The folder of scans can’t be read. Check that it is there and open to Matterdesk.';
export const NOT_MOVED =
  'It is in the tray, but could not be moved to .taken. Check the folder’s rights and room.';
const EMPTY = 'The file is empty. Scan it again.';
const NO_ROOM = 'There is no room left for it. Free some, and it is taken by itself.';
const NOT_OPEN = 'Matterdesk may not read the file. Check its rights.';
const NOT_READ = 'The file can’t be read now. It is tried again by itself.';

/** Tells a file from a later one of the same name. */
export function originOf({ name, stats }: { name: string; stats: Stats }): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeMs, name].join(':');
}

export function wrongSize(size: number, most: number): string | undefined {
  if (size === 0) return EMPTY;
  return size > most ? `It is larger than ${most / 1_048_576} MB.` : undefined;
}

type Problem = { name: string; reason: string };

/** The same files with the same reasons, in any order. */
export function areAlike(one: readonly Problem[], other: readonly Problem[]): boolean {
  const said = new Set(other.map(({ name, reason }) => `${name}\n${reason}`));
  return (
    one.length === said.size && one.every(({ name, reason }) => said.has(`${name}\n${reason}`))
  );
}

/** Undefined for a file that is not there any more. */
export function whyNotTaken(error: unknown): string | undefined {
  if (error instanceof Refusal) {
    if (error.code === 'storageFull') return NO_ROOM;
    return error.code === 'invalidInput' ? `${error.message}.` : NOT_READ;
  }
  const code = codeOf(error);
  if (code === 'ENOENT') return undefined;
  return code === 'EACCES' || code === 'EPERM' ? NOT_OPEN : NOT_READ;
}

/** Whether the folder itself is missing, or closed to this process. */
export function isOfFolder(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'ESTALE'].includes(codeOf(error));
}

export function isThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? '';
}
