// Programs that an operator runs: seed, backup, restore.

import fs from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from './command.ts';
import { ifThere, sumFile, sumTree, writeNew, type Sums } from './copy-tree.ts';

/** A backup is a directory with `data/` like DATA_DIR, `backup.json`, and `SHA256SUMS` over both. */
export const DATA = 'data';
const DESCRIPTION = 'backup.json';
const SUMS = 'SHA256SUMS';
const FORMAT = 1;

/** Describes a backup and writes its checksums in the format of `sha256sum --check`. */
export async function seal(backup: string, data: Sums, madeAt: Date): Promise<void> {
  const description = { product: 'matterdesk', format: FORMAT, madeAt: madeAt.toISOString() };
  const text = `${JSON.stringify(description, null, 2)}\n`;
  const sums = new Map([[DESCRIPTION, await writeNew(path.join(backup, DESCRIPTION), text)]]);
  for (const [name, sum] of data) sums.set(`${DATA}/${name}`, sum);
  const lines = [...sums].map(([name, sum]) => `${sum}  ${name}\n`);
  await writeNew(path.join(backup, SUMS), lines.join(''));
}

/**
 * Checksums of `data/`.
 * @throws CommandError unless this is a backup that this version can read
 */
export async function openBackup(backup: string): Promise<Sums> {
  const text = await ifThere(fs.readFile(path.join(backup, SUMS), 'utf8'));
  const description = await ifThere(fs.readFile(path.join(backup, DESCRIPTION), 'utf8'));
  if (text === undefined || description === undefined)
    throw new CommandError(`${backup} is not a backup: it lacks ${SUMS} or ${DESCRIPTION}`);
  const sums: Sums = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const parts = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    const [, sum, name] = parts ?? [];
    if (!sum || !name) throw damaged(backup, SUMS);
    sums.set(name, sum);
  }
  if ((await sumFile(path.join(backup, DESCRIPTION))) !== sums.get(DESCRIPTION))
    throw damaged(backup, DESCRIPTION);
  if ((JSON.parse(description) as { format?: unknown }).format !== FORMAT)
    throw new CommandError(`${backup} was made by another version and cannot be read by this one`);
  return dataOf(sums);
}

function dataOf(sums: Sums): Sums {
  const prefix = `${DATA}/`;
  const below = [...sums].filter(([name]) => name.startsWith(prefix));
  return new Map(below.map(([name, sum]) => [name.slice(prefix.length), sum]));
}

/** Rereads and compares everything. @throws CommandError that names the first file that differs */
export async function verify(backup: string): Promise<void> {
  requireSame(backup, await openBackup(backup), await sumTree(path.join(backup, DATA)));
}

/** @throws CommandError that names the first file that differs from its checksum */
export function requireSame(backup: string, written: Sums, found: Sums): void {
  for (const name of new Set([...written.keys(), ...found.keys()]))
    if (written.get(name) !== found.get(name)) throw damaged(backup, `${DATA}/${name}`);
}

function damaged(backup: string, name: string) {
  return new CommandError(`The backup ${backup} is damaged: ${name} is not as it was written`);
}
