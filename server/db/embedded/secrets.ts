import fs from 'node:fs';
import path from 'node:path';
import type { Identity } from './identity.ts';

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
