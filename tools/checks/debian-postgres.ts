import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '@matterdesk/server/testing/free-port.ts';

/** Whom its programs run as; PostgreSQL refuses to run as root. */
type Identity = { uid?: number; gid?: number };

const readyWithin = 30_000;
const role = 'matterdesk';

/** The programs of the newest PostgreSQL that Debian's packages put on this machine, if any. */
export function installedPostgres(): string | undefined {
  const version = (path: string): number => Number(path.split('/')[4]);
  const servers = globSync('/usr/lib/postgresql/*/bin/postgres');
  const newest = servers.toSorted((a, b) => version(a) - version(b)).at(-1);
  return newest === undefined ? undefined : dirname(newest);
}

/** Runs `use` with the address of a temporary cluster on 127.0.0.1, as a role that may only create databases. */
export async function withCluster(
  programs: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const identity = postgresIdentity();
  const home = mkdtempSync(join(tmpdir(), 'matterdesk-debian-'));
  if (identity.uid !== undefined) chownSync(home, identity.uid, identity.gid ?? -1);
  try {
    const data = join(home, 'data');
    const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8'];
    execFileSync(join(programs, 'initdb'), ['--pgdata', data, '--no-sync', ...options], {
      ...identity,
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await serve({ programs, home, data, identity }, use);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

type Cluster = { programs: string; home: string; data: string; identity: Identity };

async function serve(
  { programs, home, data, identity }: Cluster,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  // Its data is thrown away, so nothing is lost by not waiting for the disk.
  const settings = [`port=${port}`, `unix_socket_directories=${home}`, 'max_connections=200']
    .concat('listen_addresses=127.0.0.1', 'fsync=off', 'full_page_writes=off')
    .flatMap((setting) => ['-c', setting]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...identity,
    cwd: home,
    stdio: 'ignore',
  });
  try {
    await createRole(server, `postgres://postgres@127.0.0.1:${port}/postgres`);
    await use(`postgres://${role}@127.0.0.1:${port}/postgres`);
  } finally {
    await stop(server);
  }
}

async function createRole(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyWithin;
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.query(`create role ${role} login createdb`);
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await delay(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}

function postgresIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
