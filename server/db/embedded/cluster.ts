import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.ts';
import { explainFailure } from './failure.ts';
import { runAs, type Identity } from './identity.ts';
import { secretFile, syncDirectory, writePrivately } from './secrets.ts';

export const APP = 'app';
export const SUPERUSER = 'postgres';

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
    throw new Error(`${directory} holds something else than a database (it has no PG_VERSION)`);
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
export function takeOver(directory: string, { uid, gid }: Identity): void {
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
