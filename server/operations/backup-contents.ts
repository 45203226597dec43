import fs from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from './command.ts';
import { ifThere, sumFile, sumTree, writeNew, type FileHashes } from './copy-tree.ts';
import { BackupKey } from './encryption.ts';

/**
 * A backup is a directory with `data/` like DATA_DIR, `backup.json`, and `SHA256SUMS` over both. With a passphrase every
 * file of `data/` is encrypted, and `SIGNATURE` is over `SHA256SUMS`.
 */
export const DATA = 'data';
const DESCRIPTION = 'backup.json';
const SUMS = 'SHA256SUMS';
const SIGNATURE = 'SIGNATURE';
const READABLE = 1;
const ENCRYPTED = 2;

/** The key of a backup, and the salt that it was made with. */
export type BackupSecret = { key: BackupKey; salt: Buffer };

/** Describes a backup and writes its checksums in the format of `sha256sum --check`, signed if it has a key. */
export async function writeManifest(
  backup: string,
  data: FileHashes,
  { madeAt, lock }: { madeAt: Date; lock: BackupSecret | undefined },
): Promise<void> {
  const description = {
    product: 'matterdesk',
    format: lock ? ENCRYPTED : READABLE,
    madeAt: madeAt.toISOString(),
    ...(lock && { cipher: 'aes-256-gcm', salt: lock.salt.toString('hex') }),
  };
  const text = `${JSON.stringify(description, null, 2)}\n`;
  const sums = new Map([[DESCRIPTION, await writeNew(path.join(backup, DESCRIPTION), text)]]);
  for (const [name, sum] of data) sums.set(`${DATA}/${name}`, sum);
  const lines = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');
  await writeNew(path.join(backup, SUMS), lines);
  if (lock) await writeNew(path.join(backup, SIGNATURE), `${lock.key.sign(lines)}\n`);
}

export type OpenedBackup = { sums: FileHashes; key: BackupKey | undefined };

/**
 * Checksums of `data/`, and the key of an encrypted one.
 * @throws CommandError unless this is a backup that this version can read, and that fits the passphrase
 */
export async function openBackup(
  backup: string,
  passphrase: string | undefined,
): Promise<OpenedBackup> {
  const text = await ifThere(fs.readFile(path.join(backup, SUMS), 'utf8'));
  const description = await ifThere(fs.readFile(path.join(backup, DESCRIPTION), 'utf8'));
  if (text === undefined || description === undefined)
    throw new CommandError(`${backup} is not a backup: it lacks ${SUMS} or ${DESCRIPTION}`);
  const sums = readSums(backup, text);
  if ((await sumFile(path.join(backup, DESCRIPTION))) !== sums.get(DESCRIPTION))
    throw damaged(backup, DESCRIPTION);
  const { format, salt } = JSON.parse(description) as { format?: unknown; salt?: unknown };
  if (format !== READABLE && format !== ENCRYPTED)
    throw new CommandError(`${backup} was made by another version and cannot be read by this one`);
  const locked = format === ENCRYPTED ? { text, salt: String(salt) } : undefined;
  return { sums: dataOf(sums), key: await unlock(backup, locked, passphrase) };
}

function readSums(backup: string, text: string): FileHashes {
  const sums: FileHashes = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const parts = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    const [, sum, name] = parts ?? [];
    if (!sum || !name) throw damaged(backup, SUMS);
    sums.set(name, sum);
  }
  return sums;
}

/** A readable backup is refused beside a passphrase, or a stranger could slip one in. */
async function unlock(
  backup: string,
  locked: { text: string; salt: string } | undefined,
  passphrase: string | undefined,
): Promise<BackupKey | undefined> {
  if (!locked && passphrase === undefined) return undefined;
  if (!locked)
    throw new CommandError(
      `${backup} was made without a key, and nothing shows who made it: unset BACKUP_KEY to restore it all the same`,
    );
  if (passphrase === undefined)
    throw new CommandError(
      `${backup} is encrypted: set BACKUP_KEY to the file with its passphrase`,
    );
  const key = await BackupKey.from(passphrase, Buffer.from(locked.salt, 'hex'));
  const signature = await ifThere(fs.readFile(path.join(backup, SIGNATURE), 'utf8'));
  if (!key.isSignatureOf(locked.text, signature?.trim() ?? ''))
    throw new CommandError(
      `${backup} does not fit BACKUP_KEY: it has another passphrase, or was changed`,
    );
  return key;
}

function dataOf(sums: FileHashes): FileHashes {
  const prefix = `${DATA}/`;
  const below = [...sums].filter(([name]) => name.startsWith(prefix));
  return new Map(below.map(([name, sum]) => [name.slice(prefix.length), sum]));
}

/** Rereads and compares everything. @throws CommandError that names the first file that differs */
export async function verify(backup: string, passphrase: string | undefined): Promise<void> {
  const { sums } = await openBackup(backup, passphrase);
  requireSame(backup, sums, await sumTree(path.join(backup, DATA)));
}

/** @throws CommandError that names the first file that differs from its checksum */
export function requireSame(backup: string, written: FileHashes, found: FileHashes): void {
  for (const name of new Set([...written.keys(), ...found.keys()]))
    if (written.get(name) !== found.get(name)) throw damaged(backup, `${DATA}/${name}`);
}

export function damaged(backup: string, name: string) {
  return new CommandError(`The backup ${backup} is damaged: ${name} is not as it was written`);
}
