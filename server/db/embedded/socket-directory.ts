import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { currentUser, type Identity } from './identity.ts';

export const PORT = 5432;

// The kernel takes 107 bytes for `<directory>/.s.PGSQL.5432`.
const LONGEST = 90;

/** A plain name that no other directory has. */
export function clusterNameOf(directory: string): string {
  return `matterdesk-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
}

/**
 * Where the socket of that cluster stands: beside it, or in the directory for temporary files if the
 * path is too long or holds what PostgreSQL's list of directories would read as its own syntax.
 */
export function socketDirectoryOf(directory: string): string {
  const name = clusterNameOf(directory);
  const temporary = [os.tmpdir(), '/tmp'].map((base) => path.join(base, name));
  const fits = [`${directory}.sock`, ...temporary].find(
    (candidate) => /^[\w./-]+$/.test(candidate) && candidate.length <= LONGEST,
  );
  return fits ?? path.join('/tmp', name);
}

/** Makes it for that identity alone. Throws one sentence if somebody else made it before. */
export function makeSocketDirectory(socketDirectory: string, { uid, gid }: Identity): void {
  if (!fs.existsSync(socketDirectory)) fs.mkdirSync(socketDirectory, { mode: 0o700 });
  const found = fs.lstatSync(socketDirectory);
  const isOurs = found.uid === uid || found.uid === currentUser().uid;
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0)
    throw new Error(`${socketDirectory} must be a directory of this user alone; please remove it`);
  fs.chownSync(socketDirectory, uid, gid);
}
