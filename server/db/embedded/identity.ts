import { spawnSync, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

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
