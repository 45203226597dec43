import fs from 'node:fs/promises';
import path from 'node:path';
import { DATA, type Lock, seal, verify } from './backup-contents.ts';
import { BackupKey, newSalt } from './backup-key.ts';
import { copyCluster } from './cluster-copy.ts';
import { CommandError, type Say } from './command.ts';
import { copyTree, ifThere, sync } from './copy-tree.ts';
import { encrypting } from './encryption.ts';
import { CLUSTER, findData, reachDatabase } from './reach-database.ts';
import { isOwnTraceOfRestore } from './swap.ts';

export type BackupOptions = {
  /** DATA_DIR. */
  wanted: string;
  place: string;
  /** Encrypts it. */
  passphrase: string | undefined;
};

/**
 * Copies DATA_DIR and its database to a new directory, with or without a running server. The directory
 * appears only when it is complete and verified.
 */
export async function takeBackup(
  { wanted, place, passphrase }: BackupOptions,
  say: Say,
): Promise<void> {
  const dataDir = await findData(wanted, 'back up');
  const target = await findPlace(place, dataDir);
  const draft = `${target}.unfinished-${process.pid}`;
  const database = await reachDatabase(dataDir);
  try {
    await fs.mkdir(draft, { recursive: true, mode: 0o700 });
    const data = path.join(draft, DATA);
    const madeAt = new Date();
    const lock = passphrase === undefined ? undefined : await makeLock(passphrase);
    const codec = lock && ((name: string) => encrypting(lock.key, name));
    say('Copying the database');
    const from = path.join(dataDir, CLUSTER);
    const cluster = await copyCluster(database.superuser, {
      from,
      to: path.join(data, CLUSTER),
      codec: codec && ((name) => codec(`${CLUSTER}/${name}`)),
    });
    // After the database, since files exist before their rows.
    say('Copying the files');
    const files = await copyTree(dataDir, data, { takes: isFile, codec });
    const sums = new Map([...cluster].map(([name, sum]) => [`${CLUSTER}/${name}`, sum]));
    await seal(draft, new Map([...sums, ...files]), { madeAt, lock });
    say('Reading the backup again');
    await verify(draft, passphrase);
    await sync(draft);
    await fs.rename(draft, target);
    await sync(path.dirname(target));
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
    await database.release();
  }
}

async function makeLock(passphrase: string): Promise<Lock> {
  const salt = newSalt();
  return { key: await BackupKey.from(passphrase, salt), salt };
}

/** The real path of an unused place. */
async function findPlace(wanted: string, dataDir: string): Promise<string> {
  await fs.mkdir(path.dirname(wanted), { recursive: true });
  const target = path.join(await fs.realpath(path.dirname(wanted)), path.basename(wanted));
  if (`${target}/`.startsWith(`${dataDir}/`))
    throw new CommandError('A backup must not lie in DATA_DIR itself');
  const found = await ifThere(fs.stat(target));
  const isFree = !found || (found.isDirectory() && (await fs.readdir(target)).length === 0);
  if (!isFree) throw new CommandError(`${wanted} is there already: name a new directory`);
  return target;
}

/** All of DATA_DIR except its cluster, sockets and data that a restore set aside. */
function isFile(relative: string): boolean {
  const [top = ''] = relative.split('/', 1);
  return top !== CLUSTER && !top.startsWith(`${CLUSTER}.`) && !isOwnTraceOfRestore(top);
}
