import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { currentUser, type Identity } from './identity.ts';

export const PORT = 5432;

// The kernel limits `<directory>/.s.PGSQL.5432` to 107 bytes.
const MAX_PATH_LENGTH = 90;

/** A plain, unique directory name. */
export function clusterNameOf(directory: string): string {
  return `matterdesk-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
}

/**
 * The cluster's socket directory: next to it, or among temporary files if the path is too long or
 * PostgreSQL would parse it as a list.
 */
export function socketDirectoryOf(directory: string): string {
  const name = clusterNameOf(directory);
  const temporary = [os.tmpdir(), '/tmp'].map((base) => path.join(base, name));
  const fits = [`${directory}.sock`, ...temporary].find(
    (candidate) => /^[\w./-]+$/.test(candidate) && candidate.length <= MAX_PATH_LENGTH,
  );
  return fits ?? path.join('/tmp', name);
}

/** Creates it for this identity alone. Throws one sentence if another user owns it. */
export function makeSocketDirectory(socketDirectory: string, { uid, gid }: Identity): void {
  if (!fs.existsSync(socketDirectory)) fs.mkdirSync(socketDirectory, { mode: 0o700 });
  const found = fs.lstatSync(socketDirectory);
  const isOurs = found.uid === uid || found.uid === currentUser().uid;
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0)
    throw new Error(`${socketDirectory} must be a directory of this user alone; please remove it`);
  fs.chownSync(socketDirectory, uid, gid);
}
