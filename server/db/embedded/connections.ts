import fs from 'node:fs';
import path from 'node:path';
import type { Identity } from './identity.ts';
import { readPidFile } from './predecessor.ts';
import { PORT } from './socket-directory.ts';

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

export const APP = 'app';
export const SUPERUSER = 'postgres';

/** Path of a role's password, in the cluster's directory. */
export function secretFile(directory: string, role: string): string {
  return path.join(directory, `${role}.secret`);
}

export function readSecret(file: string): string {
  return fs.readFileSync(file, 'utf8').trim();
}

/** Writes it to the disk for this identity alone. */
export function writePrivately(file: string, content: string, { uid, gid }: Identity): void {
  fs.writeFileSync(file, `${content}\n`, { mode: 0o600, flush: true });
  fs.chownSync(file, uid, gid);
}

/** Makes a new or renamed file survive a loss of power. */
export function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
