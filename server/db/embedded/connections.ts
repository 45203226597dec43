import fs from 'node:fs';
import { APP, SUPERUSER, readSecret, secretFile } from './cluster.ts';
import { readPidFile, currentUser, type Identity } from './identity.ts';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

export type Connection = {
  /** Directory of the unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

export type Connections = {
  /** The application's database, as its owner. */
  connection: Connection;
  /** For backups, which require a superuser. */
  superuser: Connection;
};

/** Connections to the cluster in a directory, through its socket. */
export function connectionsOf(directory: string, socketDirectory: string): Connections {
  const place = { host: socketDirectory, port: PORT };
  const password = readSecret(secretFile(directory, APP));
  // Both share one in a cluster that an earlier version still runs.
  const own = secretFile(directory, SUPERUSER);
  const superuser = fs.existsSync(own) ? readSecret(own) : password;
  return {
    connection: { ...place, password, user: APP, database: APP },
    superuser: { ...place, password: superuser, user: SUPERUSER, database: SUPERUSER },
  };
}

/** Connections to the PostgreSQL that another process runs in the directory, if any. */
export function findRunningPostgres(directory: string): Connections | undefined {
  const found = readPidFile(directory);
  return found?.isReady ? connectionsOf(directory, found.socketDirectory) : undefined;
}

export const PORT = 5432;

// The kernel limits `<directory>/.s.PGSQL.5432` to 107 bytes.
const LONGEST = 90;

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
    (candidate) => /^[\w./-]+$/.test(candidate) && candidate.length <= LONGEST,
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
