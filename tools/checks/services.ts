import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  globSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '@matterdesk/server/testing/process.ts';

/** Account for its programs, which refuse some of their work to root. */
type Identity = { uid?: number; gid?: number };
type Ceph = { home: string; identity: Identity; env: NodeJS.ProcessEnv };

const cephReadyWithin = 90_000;
/** Once in many starts the gateway waits for its disk in vain, on a busy machine twice in a row. */
const ATTEMPTS = 3;
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool'];
const user = { accessKey: 'MATTERDESKTEST', secret: 'a-secret-of-the-tests-alone' };
const run = promisify(execFile);

/** True when Debian's packages radosgw, ceph-mon and ceph-osd are on this machine. */
export function isCephInstalled(): boolean {
  return programs.every((program) => existsSync(`/usr/bin/${program}`));
}

type ObjectStore = { variables: Record<string, string>; stop: () => Promise<void> };

/** Tells `use` how to reach a new S3 server. */
export async function withObjectStore(
  use: (variables: Record<string, string>) => Promise<void>,
): Promise<void> {
  const { variables, stop } = await startObjectStore();
  try {
    await use(variables);
  } finally {
    await stop();
  }
}

/**
 * Starts a new S3 server: one monitor, one disk in a file, one gateway.
 * @param address of the gateway; everything else is on 127.0.0.1
 * @returns the variables of its tests
 */
export async function startObjectStore(address = '127.0.0.1'): Promise<ObjectStore> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptStart(address);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function attemptStart(address: string): Promise<ObjectStore> {
  const identity = cephIdentity();
  const home = mkdtempSync(join(tmpdir(), 'matterdesk-ceph-'));
  const env = { ...process.env, CEPH_CONF: join(home, 'ceph.conf') };
  const ceph: Ceph = { home, identity, env };
  const running: ChildProcess[] = [];
  const stop = async () => {
    for (const daemon of running.toReversed()) await kill(daemon);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const gateway = `${address}:${await freePort()}`;
    await prepare(ceph, gateway);
    await start(ceph, running);
    await answers(`http://${gateway}`, running);
    const variables = {
      S3_TEST_ENDPOINT: `http://${gateway}`,
      S3_TEST_ACCESS_KEY_ID: user.accessKey,
      S3_TEST_SECRET_ACCESS_KEY: user.secret,
    };
    return { variables, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare({ home, identity, env }: Ceph, gateway: string): Promise<void> {
  const cluster = randomUUID();
  const monitor = `127.0.0.1:${await freePort()}`;
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(home, name));
  writeFileSync(join(home, 'ceph.conf'), configuration({ home, cluster, monitor, gateway }));
  if (identity.uid !== undefined)
    for (const name of ['', 'mon', 'osd', 'run'])
      chownSync(join(home, name), identity.uid, identity.gid ?? -1);
  const at = { ...identity, env, cwd: home };
  const [map, keys] = [join(home, 'monmap'), join(home, 'keys')];
  const address = ['--addv', 'a', `[v1:${monitor}]`];
  await run('monmaptool', ['--create', ...address, '--fsid', cluster, map], at);
  const allow = ['--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'];
  await run('ceph-authtool', ['--create-keyring', keys, ...allow], at);
  await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', keys], at);
}

async function start({ home, identity, env }: Ceph, running: ChildProcess[]): Promise<void> {
  const at = { ...identity, env, cwd: home };
  const serve = (program: string, ...args: string[]) =>
    running.push(spawn(program, ['-f', ...args], { ...at, stdio: 'ignore' }));
  serve('ceph-mon', '-i', 'a');
  const disk = randomUUID();
  // Each of these waits for the daemon before it.
  await run('ceph', ['--connect-timeout', '30', 'osd', 'new', disk], at);
  await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', disk], at);
  serve('ceph-osd', '-i', '0');
  await untilUp(at);
  const whose = ['--uid=matterdesk', '--display-name=Matterdesk'];
  const keys = [`--access-key=${user.accessKey}`, `--secret=${user.secret}`];
  // Before the gateway, since both would make the same pools and zone.
  await run('radosgw-admin', ['user', 'create', ...whose, ...keys], {
    ...at,
    timeout: cephReadyWithin,
  });
  serve('radosgw', '-n', 'client.rgw.a');
}

/** Waits for the disk, without which the gateway can create nothing. */
async function untilUp(at: { env: NodeJS.ProcessEnv }): Promise<void> {
  const until = Date.now() + cephReadyWithin;
  const limits = { ...at, timeout: cephReadyWithin };
  for (;;) {
    const { stdout } = await run('ceph', ['osd', 'stat', '--format', 'json'], limits);
    if ((JSON.parse(stdout) as { num_up_osds: number }).num_up_osds === 1) return;
    if (Date.now() > until) throw new Error('Ceph’s disk did not come up');
    await delay(500);
  }
}

type Places = { home: string; cluster: string; monitor: string; gateway: string };

/** No passwords between the daemons, one copy of everything. */
function configuration({ home, cluster, monitor, gateway }: Places): string {
  return `[global]
fsid = ${cluster}
mon_host = v1:${monitor}
mon_initial_members = a
public_addr = 127.0.0.1
public_network = 127.0.0.0/8
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
bluestore_block_create = true
bluestore_block_size = 12884901888
osd_memory_target = 939524096
mon_data = ${home}/mon
osd_data = ${home}/osd
rgw_data = ${home}/run
run_dir = ${home}/run
admin_socket = ${home}/run/$name.asok
pid_file = ${home}/run/$name.pid
log_file = /dev/null
keyring = ${home}/keys
[client.rgw.a]
rgw_frontends = beast endpoint=${gateway}
`;
}

async function answers(endpoint: string, running: ChildProcess[]): Promise<void> {
  const deadline = Date.now() + cephReadyWithin;
  for (;;) {
    const reply = await fetch(endpoint).catch(() => undefined);
    if (reply?.ok) return;
    const hasExited = running.some((daemon) => daemon.exitCode !== null);
    if (hasExited || Date.now() > deadline) throw new Error('Ceph’s S3 server did not start');
    await delay(200);
  }
}

async function kill(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await ended;
}

function cephIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'ceph'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Account for its programs: PostgreSQL refuses to run as root. */
type PostgresIdentity = { uid?: number; gid?: number };

const postgresReadyWithin = 30_000;
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

type Cluster = { programs: string; home: string; data: string; identity: PostgresIdentity };

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
  const deadline = Date.now() + postgresReadyWithin;
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

function postgresIdentity(): PostgresIdentity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
