import { spawnSync, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clusterNameOf } from './socket-directory.ts';

/** The user that runs PostgreSQL: the owner of its files, and how to switch to it. */
export type Identity = {
  uid: number;
  gid: number;
  /** Prefix of every command. */
  prefix: readonly string[];
  /** Whether spawn switches uid and gid itself. */
  switchesUser: boolean;
};

type Account = { name: string; uid: number; gid: number };

/** Spawn arguments that run `command` as that identity, from `/` with a minimal environment. */
export function runAs(
  { uid, gid, prefix, switchesUser }: Identity,
  command: readonly string[],
): { file: string; args: string[]; options: SpawnOptions } {
  const [file = '', ...args] = [...prefix, ...command];
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  return { file, args, options: { cwd: '/', env, ...(switchesUser ? { uid, gid } : {}) } };
}

/**
 * Picks the user for PostgreSQL, which refuses root and unnamed users. An existing cluster keeps
 * its owner if possible. Throws one sentence if no user works.
 */
export function chooseIdentity(postgres: string, directory: string): Identity {
  const owner = fs.statSync(directory, { throwIfNoEntry: false });
  const me = currentUser().uid;
  if (me !== 0 && owner && owner.uid !== me)
    throw new Error(`${directory} belongs to another user (uid ${owner.uid})`);
  const candidates = me === 0 ? forRoot(owner) : [isNamed() ? sameUser() : namespace(me)];
  const chosen = candidates.find((identity) => works(identity, postgres, path.dirname(directory)));
  if (!chosen)
    throw new Error(
      'PostgreSQL cannot run as this user here: start Matterdesk as another user or set DATABASE_URL',
    );
  return chosen;
}

/** Available on every platform of this PostgreSQL. */
export function currentUser(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}

function forRoot(owner: { uid: number; gid: number } | undefined): Identity[] {
  const postgres = accounts().filter(({ name }) => name === 'postgres');
  const unprivileged = accounts().filter(({ name }) => name === 'nobody');
  const all = [
    ...postgres.map(plain),
    namespace(0),
    ...unprivileged.map(plain),
    ...[...postgres, ...unprivileged].map(withFileAccess),
  ];
  if (!owner) return all;
  if (owner.uid === 0) return [namespace(0), ...all];
  return [plain(owner), withFileAccess(owner), ...all];
}

function sameUser(): Identity {
  return { ...currentUser(), prefix: [], switchesUser: false };
}

function plain({ uid, gid }: { uid: number; gid: number }): Identity {
  return { uid, gid, prefix: [], switchesUser: true };
}

/** The same user outside, a named unprivileged user inside. Needs no shared files. */
function namespace(uid: number): Identity {
  const inside = accounts().find((account) => account.name === 'nobody');
  const map = [`--map-user=${inside?.uid ?? 65534}`, `--map-group=${inside?.gid ?? 65534}`];
  const prefix = ['unshare', '--user', ...map, '--'];
  return { uid, gid: currentUser().gid, prefix, switchesUser: false };
}

/** For containers without user namespaces where root keeps everything in private directories. */
function withFileAccess({ uid, gid }: { uid: number; gid: number }): Identity {
  // Without this bit access(2), with which PostgreSQL locates itself, ignores the capability.
  const bit = '--securebits=+no_setuid_fixup';
  const capability = [bit, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { uid, gid, prefix: ['setpriv', ...user, ...capability, '--'], switchesUser: false };
}

function works(identity: Identity, postgres: string, parent: string): boolean {
  const probe = ['/bin/sh', '-c', '"$0" --version && test -x "$1"', postgres, parent];
  const { file, args, options } = runAs(identity, probe);
  return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;
}

function isNamed(): boolean {
  try {
    return os.userInfo().username !== '';
  } catch {
    return false;
  }
}

function accounts(): Account[] {
  const rows = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  return rows.map((row) => {
    const [name = '', , uid, gid] = row.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

type PidFile = { pid: number; socketDirectory: string; isReady: boolean };

/** The pid file of the cluster's postmaster; undefined without one. */
export function readPidFile(directory: string): PidFile | undefined {
  try {
    const lines = fs.readFileSync(pidFile(directory), 'utf8').split('\n');
    return {
      pid: Number(lines[0]),
      socketDirectory: lines[4] ?? '',
      isReady: lines[7]?.trim() === 'ready',
    };
  } catch {
    return undefined;
  }
}

/** PostgreSQL's messages when an earlier process or its files block the start. */
export function isAboutPredecessor(output: string): boolean {
  return /lock file "[^"]*" (already exists|is empty)|data in lock file|shared memory block/.test(
    output,
  );
}

/**
 * Ends leftovers of an earlier PostgreSQL in the cluster, but never a process that another living
 * launcher started: only the holder of the directory's lock starts here.
 */
export function clearPredecessor(directory: string, socketDirectory: string): void {
  const postmaster = readPidFile(directory)?.pid;
  const running = processesOf(directory);
  if (postmaster && running.includes(postmaster)) {
    if (isOrphan(postmaster)) signal(postmaster, 'SIGINT');
  } else if (running.length > 0) {
    // Without their postmaster they can only end, but would finish a long statement first.
    for (const pid of running) signal(pid, 'SIGQUIT');
  } else if (!postmaster || !isPostgres(postmaster)) {
    // The process id was reused, or is a zombie without a parent that reaps it.
    fs.rmSync(pidFile(directory), { force: true });
    for (const name of fs.readdirSync(socketDirectory)) fs.rmSync(path.join(socketDirectory, name));
  }
}

function pidFile(directory: string): string {
  return path.join(directory, 'postmaster.pid');
}

/** PostgreSQL processes show their cluster's name, even to other users. */
function processesOf(directory: string): number[] {
  const name = clusterNameOf(directory);
  const pids = fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids
    .filter((pid) => isPostgres(pid) && readProc(pid, 'cmdline').includes(name))
    .map(Number);
}

function isPostgres(pid: number | string): boolean {
  return readProc(pid, 'comm') === 'postgres\n' && readProc(pid, 'cmdline') !== '';
}

function isOrphan(pid: number): boolean {
  const parent = /^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? '';
  return !/^([^\0]*\/)?node[\0 ]/.test(readProc(parent, 'cmdline'));
}

/** Undefined for exited processes. */
function readProc(pid: number | string, what: 'comm' | 'cmdline' | 'status'): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already exited.
  }
}
