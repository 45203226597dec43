// Takes papers out of the folder into which the office's scanner writes.

import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { UNDO_DAYS } from '@matterdesk/contract/tray.ts';
import type { Context } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { fold } from '../../db/search.ts';
import { claimStored, type StoredBlob, storeFiles } from '../files/service.incoming.ts';
import { freeName } from '../files/service.ts';
import { queueReading } from './service.clues.ts';
import { announceCounts } from './service.counts.ts';
import * as store from './store.ts';

/** `rest` waits for as long as a file must stay the same. */
type Inbox = { directory: string; rest: () => Promise<unknown> };
/** A file of the folder as it was seen; its name as bytes, since it need not be a text. */
type InboxFile = { bytes: Buffer; name: string; stats: Stats };

const WHY = 'scans are in the tray before they belong to anyone';
const TAKEN = '.taken';
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Files of the folder that are taken in at once. */
const MAX_FILES = 1000;

const FOLDER_AWAY =
  'The folder of scans can’t be read. Check that it is there and open to Matterdesk.';
const NOT_MOVED =
  'It is in the tray, but could not be moved to .taken. Check the folder’s rights and room.';
const EMPTY = 'The file is empty. Scan it again.';
const NO_ROOM = 'There is no room left for it. Free some, and it is taken by itself.';
const NOT_OPEN = 'Matterdesk may not read the file. Check its rights.';
const NOT_READ = 'The file can’t be read now. It is tried again by itself.';

/** Takes in files that have stopped growing. The others stay in the folder and are reported. */
export async function takeScans(
  context: Context,
  { directory, rest }: Inbox,
  signal: AbortSignal,
): Promise<void> {
  const problems: store.Problem[] = [];
  try {
    const before = new Map((await readFolder(directory)).map((file) => [file.name, file]));
    // A file that stays the same during one wait is complete, whatever the clock of the folder's machine says.
    if (before.size > 0) await rest();
    const resting = (await readFolder(directory)).filter((file) => {
      const earlier = before.get(file.name);
      return earlier && originOf(earlier) === originOf(file);
    });
    for (const file of resting) {
      signal.throwIfAborted();
      const reason = await takeScan(context, directory, file);
      if (reason !== undefined) problems.push({ name: file.name, reason });
    }
  } catch (error) {
    if (!isOfFolder(error)) throw error;
    problems.push({ name: path.basename(directory), reason: FOLDER_AWAY });
  }
  await reportProblems(context, problems.slice(0, store.MAX_PROBLEMS));
}

/** @throws the file system's error when the folder cannot be read */
async function readFolder(directory: string): Promise<InboxFile[]> {
  const names = await readdir(directory, { encoding: 'buffer' });
  const seen = await Promise.all(
    names.slice(0, MAX_FILES).map(async (bytes): Promise<InboxFile[]> => {
      const name = bytes.toString('utf8');
      if (name.startsWith('.')) return [];
      const stats = await lstat(within(directory, bytes)).catch(() => undefined);
      return stats?.isFile() ? [{ bytes, name, stats }] : [];
    }),
  );
  return seen.flat();
}

function within(directory: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${directory}${path.sep}`), name]);
}

/** @returns why it stays, in words for users */
async function takeScan(
  context: Context,
  directory: string,
  file: InboxFile,
): Promise<string | undefined> {
  const origin = originOf(file);
  try {
    if (!(await store.isTaken(context.db.asSystem(WHY), origin))) {
      const wrong = wrongSize(file.stats.size, context.config.maxUploadBytes);
      if (wrong !== undefined) return wrong;
      await copyScan(context, within(directory, file.bytes), { name: file.name, origin });
    }
  } catch (error) {
    context.log.debug({ err: error, file: file.name }, 'a scan was not taken');
    return whyNotTaken(error);
  }
  try {
    await setAside(directory, file);
    return undefined;
  } catch (error) {
    context.log.debug({ err: error, file: file.name }, 'a taken scan was not moved');
    return NOT_MOVED;
  }
}

/** Adds a scan once even if the process is killed: `origin` identifies the file. */
async function copyScan(
  context: Context,
  from: Buffer,
  { name, origin }: { name: string; origin: string },
): Promise<void> {
  const handle = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = await handle.stat();
    const bytes = handle.createReadStream({ autoClose: false });
    async function* parts() {
      yield await Promise.resolve({ name, bytes });
    }
    await storeFiles(context, { parts: parts() }, async ([stored]) => {
      if (stored?.size !== size) throw new Error('the file changed while it was read');
      await addScan(context, stored, origin);
    });
  } finally {
    await handle.close();
  }
}

function addScan(context: Context, stored: StoredBlob, origin: string): Promise<void> {
  return context.writer.runAsSystem(null, WHY, async (unit) => {
    await claimStored(unit.trx, [stored]);
    const { key: blob_key, name, size, sha256, mimeType: mime_type } = stored;
    const row = { source: 'scan', owner_id: null, name, size, sha256, mime_type } as const;
    const id = await store.insertScan(unit.trx, { ...row, blob_key, origin });
    const after = { name, size, source: 'scan' };
    await unit.record({ entity: 'paper', entityId: id, action: 'created', after });
    await queueReading(context, unit, [id]);
    announceCounts(unit, null);
  });
}

/** Beside the papers, under a free name. */
async function setAside(directory: string, { bytes, name }: InboxFile): Promise<void> {
  const aside = path.join(directory, TAKEN);
  await mkdir(aside).catch((error: unknown) => {
    if (!isThere(error)) throw error;
  });
  if (!(await isOwnFolder(aside))) throw new Error('.taken is no folder of its own');
  const taken = new Set((await readdir(aside)).map(fold));
  await rename(within(directory, bytes), path.join(aside, freeName(name, taken)));
}

/** Not a link: who writes into the scanner's folder must not choose where else files are moved to and removed. */
async function isOwnFolder(aside: string): Promise<boolean> {
  return (await lstat(aside).catch(() => undefined))?.isDirectory() === true;
}

/** Only where something changed since the last poll. */
async function reportProblems(context: Context, problems: readonly store.Problem[]): Promise<void> {
  const known = await store.listProblems(context.db.asSystem(WHY));
  if (areSameProblems(known, problems)) return;
  context.log.warn({ problems }, 'scans that were not taken');
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    await store.replaceProblems(unit.trx, problems);
    announceCounts(unit, null);
  });
}

/** Removes files that were taken so long ago that they are not wanted back. @param now in Unix milliseconds */
export async function purgeTaken(
  { directory }: Pick<Inbox, 'directory'>,
  now = Date.now(),
): Promise<void> {
  const aside = path.join(directory, TAKEN);
  if (!(await isOwnFolder(aside))) return;
  const before = now - UNDO_DAYS * 86_400_000;
  const names = await readdir(aside, { encoding: 'buffer' }).catch(() => []);
  for (const name of names) {
    const file = within(aside, name);
    const stats = await lstat(file).catch(() => undefined);
    // Moving a file sets this time, unlike that of its content.
    if (stats?.isFile() && stats.ctimeMs < before) await rm(file, { force: true });
  }
}

/** One line where the folder is not there at the start. */
export async function warnOfInbox(
  { log }: Context,
  { directory }: Pick<Inbox, 'directory'>,
): Promise<void> {
  await readFolder(directory).catch((error: unknown) => {
    log.warn({ err: error, directory }, 'INBOX_DIR cannot be read');
  });
}

/** Distinguishes a file from a later one of the same name. */
function originOf({ name, stats }: { name: string; stats: Stats }): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeMs, name].join(':');
}

function wrongSize(size: number, most: number): string | undefined {
  if (size === 0) return EMPTY;
  return size > most ? `It is larger than ${most / 1_048_576} MB.` : undefined;
}

/** The same files with the same reasons, in any order. */
function areSameProblems(one: readonly store.Problem[], other: readonly store.Problem[]): boolean {
  const said = new Set(other.map(({ name, reason }) => `${name}\n${reason}`));
  return (
    one.length === said.size && one.every(({ name, reason }) => said.has(`${name}\n${reason}`))
  );
}

/** Undefined for a file that is not there any more. */
function whyNotTaken(error: unknown): string | undefined {
  if (error instanceof Refusal) {
    if (error.code === 'storageFull') return NO_ROOM;
    return error.code === 'invalidInput' ? `${error.message}.` : NOT_READ;
  }
  const code = codeOf(error);
  if (code === 'ENOENT') return undefined;
  return code === 'EACCES' || code === 'EPERM' ? NOT_OPEN : NOT_READ;
}

/** Whether the folder itself is missing, or closed to this process. */
function isOfFolder(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'ESTALE'].includes(codeOf(error));
}

function isThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? '';
}
