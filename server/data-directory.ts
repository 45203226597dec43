import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type DataDirectory = {
  /** The real path, without symbolic links. */
  path: string;
  /** Releases the lock, which also ends with the process in any case. */
  release: () => Promise<void>;
};

// A predecessor that is stopping may need a moment to release the lock.
const LOCK_TIMEOUT_MS = 1500;
// PostgreSQL stores paths below it in buffers of 1024 bytes.
const MAX_PATH_BYTES = 900;

const REASONS: Record<string, string> = {
  EEXIST: 'there is a file in its place',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'there is a file in its place',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
};

/**
 * Creates DATA_DIR if needed, for this user alone, and locks it against every other Matterdesk.
 * @throws Error of one line that names a directory that cannot be used or is in use
 */
export async function openDataDirectory(requested: string): Promise<DataDirectory> {
  const directory = await makeDirectory(requested);
  const { dev, ino } = await fs.stat(directory, { bigint: true });
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lock = await lockName(`matterdesk-data-${dev}-${ino}`);
    if (lock) return { path: directory, release: () => closeServer(lock) };
    if (Date.now() > deadline)
      throw new Error(`DATA_DIR ${requested} is already in use by another Matterdesk`);
    await delay(50);
  }
}

/**
 * The key that seals third-party tokens: 64 hexadecimal digits, generated once and stored in `secret.key`.
 * @throws Error of one line for a file with any other content
 */
export async function loadSecretKey(dataDirectory: string): Promise<string> {
  const file = path.join(dataDirectory, 'secret.key');
  const kept = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  const key = kept === undefined ? randomBytes(32).toString('hex') : kept.trim();
  if (!/^[0-9a-f]{64}$/i.test(key)) throw new Error(`${file} must hold 64 hexadecimal digits`);
  if (kept === undefined) await writeWhole(file, `${key}\n`);
  return key;
}

async function makeDirectory(requested: string): Promise<string> {
  // PostgreSQL stores the path as a line of a file.
  if (/\p{Cc}/u.test(requested))
    throw new Error(`DATA_DIR ${JSON.stringify(requested)} must not hold control characters`);
  try {
    await makeWithParents(path.resolve(requested));
    const directory = await fs.realpath(requested);
    // The slash makes access fail for a file in its place.
    await fs.access(`${directory}/`, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    if (Buffer.byteLength(directory) > MAX_PATH_BYTES)
      throw new Error(`its path is longer than ${MAX_PATH_BYTES} bytes`);
    return directory;
  } catch (error) {
    throw new Error(`DATA_DIR ${requested} cannot be used: ${reasonOf(error)}`, { cause: error });
  }
}

/** Node's recursive mkdir never returns when an existing parent takes no entries, as in /proc. */
async function makeWithParents(directory: string): Promise<void> {
  try {
    await fs.mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = path.dirname(directory);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeWithParents(parent);
    await fs.mkdir(directory, { mode: 0o700 });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || error.message;
}

/** Locks a name with an abstract socket, visible in this network namespace; undefined when it is locked already. */
function lockName(name: string): Promise<net.Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((visitor) => visitor.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(`\0${name}`, () => resolve(server.unref()));
  });
}

function closeServer(lock: net.Server): Promise<void> {
  return new Promise((resolve) => lock.close(() => resolve()));
}

async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await fs.writeFile(draft, content, { mode: 0o600, flush: true });
  await fs.rename(draft, file);
  const directory = await fs.open(path.dirname(file));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
