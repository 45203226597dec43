import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { readConfig } from '../config.ts';
import type { Connection } from '../db/embedded/connections.ts';
import { DATA, type BackupSecret, writeManifest, verify } from './backup-contents.ts';
import { CommandError, runCommand, say } from './command.ts';
import { copyTree, ifThere, type FileHashes, sync, writeNew } from './copy-tree.ts';
import { BackupKey, newSalt, readPassphrase, type Codec, encryptor } from './encryption.ts';
import { CLUSTER, findData, reachDatabase } from './reach-database.ts';
import { isOwnTraceOfRestore } from './swap.ts';

type BackupOptions = {
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
async function takeBackup({ wanted, place, passphrase }: BackupOptions): Promise<void> {
  const dataDir = await findData(wanted, 'back up');
  const target = await findPlace(place, dataDir);
  const draft = `${target}.unfinished-${process.pid}`;
  const database = await reachDatabase(dataDir);
  try {
    await fs.mkdir(draft, { recursive: true, mode: 0o700 });
    const data = path.join(draft, DATA);
    const madeAt = new Date();
    const lock = passphrase === undefined ? undefined : await makeLock(passphrase);
    const codec = lock && ((name: string) => encryptor(lock.key, name));
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
    await writeManifest(draft, new Map([...sums, ...files]), { madeAt, lock });
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

async function makeLock(passphrase: string): Promise<BackupSecret> {
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
  if (!isFree) throw new CommandError(`${wanted} already exists: choose a new directory`);
  return target;
}

/** All of DATA_DIR except its cluster, sockets and data that a restore set aside. */
function isFile(relative: string): boolean {
  const [top = ''] = relative.split('/', 1);
  return top !== CLUSTER && !top.startsWith(`${CLUSTER}.`) && !isOwnTraceOfRestore(top);
}

/** PostgreSQL recreates these (documentation, "Backing Up the Data Directory"). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest)$|^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init)(\/|$)/;

const LABEL = 'backup_label';

/** Segments per 4 GiB part of the log. */
const SEGMENTS = 256;

/** PostgreSQL's reply at the end of a backup. */
type BackupStop = { label: string; tablespaces: string; segment: string };

/** `codec` takes a path below the cluster. */
type CopyJob = { from: string; to: string; codec?: ((name: string) => Codec) | undefined };

/**
 * Copies a running cluster together with the log that makes the copy consistent, during writes.
 * @throws CommandError when the log grows faster than it can be copied
 */
async function copyCluster(
  superuser: Connection,
  { from, to, codec }: CopyJob,
): Promise<FileHashes> {
  const client = new pg.Client({ ...superuser, application_name: 'matterdesk backup' });
  // The next statement reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The slot retains the log, and ends with this connection.
    const slot = `matterdesk_backup_${process.pid}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const first = await start(client);
    const sums = await copyTree(from, to, { takes: (name) => !LEFT_OUT.test(name), codec });
    const { label, tablespaces, segment } = await stop(client);
    if (tablespaces)
      throw new CommandError(
        'The database uses tablespaces outside its directory, which this backup cannot include',
      );
    const labeled = path.join(to, LABEL);
    sums.set(LABEL, await writeNew(labeled, label, codec?.(LABEL)));
    const log = await copyLog({ from, to, codec }, { first, last: segment });
    if (!(await isKept(client, slot)))
      throw new CommandError(
        'The database wrote its log faster than it could be copied: back up to a faster disk or at a quieter time',
      );
    return new Map([...sums, ...log]);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function start(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start('matterdesk', true)) as segment",
  );
  return rows[0]?.segment ?? '';
}

async function stop(client: pg.Client): Promise<BackupStop> {
  const { rows } = await client.query<BackupStop>(`
    select labelfile as label, coalesce(spcmapfile, '') as tablespaces,
      pg_walfile_name(lsn) as segment
    from pg_backup_stop(false)`);
  const [stopped] = rows;
  if (!stopped) throw new Error('PostgreSQL did not end the backup');
  return stopped;
}

type Range = { first: string; last: string };

/** Log segments from the first to the last, all of which are required. */
async function copyLog({ from, to, codec }: CopyJob, { first, last }: Range): Promise<FileHashes> {
  const isNeeded = (name: string) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;
  const isTaken = (name: string) => isNeeded(name) || name.endsWith('.history');
  const copied = await copyTree(path.join(from, 'pg_wal'), path.join(to, 'pg_wal'), {
    takes: isTaken,
    codec: codec && ((name) => codec(`pg_wal/${name}`)),
  });
  const wanted = numberOf(last) - numberOf(first) + 1;
  if ([...copied.keys()].filter(isNeeded).length !== wanted)
    throw new CommandError('The log of the database is incomplete. Run the backup again.');
  return new Map([...copied].map(([name, sum]) => [`pg_wal/${name}`, sum]));
}

/** After the timeline, a segment's name has its part and its position in the part. */
function numberOf(segment: string): number {
  return parseInt(segment.slice(8, 16), 16) * SEGMENTS + parseInt(segment.slice(16), 16);
}

async function isKept(client: pg.Client, slot: string): Promise<boolean> {
  const { rows } = await client.query<{ wal_status: string | null }>(
    'select wal_status from pg_replication_slots where slot_name = $1',
    [slot],
  );
  return rows[0]?.wal_status !== undefined && rows[0].wal_status !== 'lost';
}

await runCommand(async (args) => {
  const [target, ...rest] = args;
  if (!target || target.startsWith('-') || rest.length > 0)
    throw new CommandError('npm run backup takes one new directory: npm run backup -- <directory>');
  const { databaseUrl, dataDir, s3, backupKey } = readConfig(process.env);
  if (databaseUrl)
    throw new CommandError(
      'The database of DATABASE_URL is backed up where it is managed, by its own means; npm run backup is for the embedded one',
    );
  // npm runs scripts in the checkout, wherever it was called.
  const place = path.resolve(process.env['INIT_CWD'] ?? '.', target);
  const passphrase = await readPassphrase(backupKey);
  await takeBackup({ wanted: dataDir, place, passphrase });
  if (s3) say('Files in S3 are not part of it');
  say(`The backup is in ${place}`);
  if (passphrase === undefined)
    say('It is readable for anyone who gets hold of it: BACKUP_KEY encrypts backups');
});
