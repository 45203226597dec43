import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  rmSync,
  mkdirSync,
  writeFileSync,
  appendFileSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createClient, type Client } from '@matterdesk/server/testing/client.ts';
import { makeBucket } from '@matterdesk/server/testing/object-store.ts';
import { freePort, startProcess, type ServerProcess } from '@matterdesk/server/testing/process.ts';
import { root } from '../checks/run.ts';
import { isCephInstalled, startObjectStore, installedPostgres } from '../checks/services.ts';
import {
  layNetwork,
  type Machine,
  type Network,
  startProgram,
  waitFor,
  type Program,
  copySettings,
} from './network.ts';

type Undo = (() => Promise<void> | void)[];

/** Two machines with Matterdesk behind a balancer, before a primary with its standby. */
export type Cluster = {
  /** A directory for the test's files. */
  home: string;
  /** Calls the balancer, as browsers do. */
  client: Client;
  desks: [Desk, Desk];
  databases: DatabasePair;
  stop: () => Promise<void>;
};

export async function startCluster(): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'matterdesk-cluster-'));
  chmodSync(home, 0o755);
  const undo: Undo = [() => rmSync(home, { recursive: true })];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await start(home, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(home: string, undo: Undo): Promise<Omit<Cluster, 'stop'>> {
  const network = layNetwork();
  undo.push(network.remove);
  const files = isCephInstalled() ? await openFiles(network.gateway, undo) : {};
  const owner = postgresIdentity();
  const place = join(home, 'databases');
  execFileSync('mkdir', [place]);
  chownSync(place, owner.uid, owner.gid);
  const databases = await startDatabasePair({ network, home: place, owner });
  for (const { program } of [databases.standby, databases.primary])
    undo.push(() => program.stop('SIGQUIT'));
  const port = await freePort();
  const variables = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET_KEY: '0123456789abcdef'.repeat(4),
    REGISTRATION: 'open',
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '3',
    LOG_LEVEL: 'warn',
    ...files,
  };
  const surroundings = { network, databases, home, variables };
  const [left, right] = network.machines;
  const desks: [Desk, Desk] = [
    await openDesk('desk-a', left, surroundings),
    await openDesk('desk-b', right, surroundings),
  ];
  for (const desk of desks) undo.push(() => desk.stop());
  await Promise.all(desks.map((desk) => desk.start(root)));
  const balancer = copySettings('haproxy.balancer.cfg', home, [
    ['10.0.0.10:80\n', `127.0.0.1:${port}\n`],
    ['10.0.0.11:3000', `${desks[0].machine.address}:${desks[0].port}`],
    ['10.0.0.12:3000', `${desks[1].machine.address}:${desks[1].port}`],
  ]);
  const program = startProgram(['haproxy', '-f', balancer]);
  undo.push(() => program.stop('SIGKILL'));
  const client = createClient(variables.PUBLIC_URL);
  const isReady = async () => (await client.request('/readyz')).status === 200;
  await waitFor(isReady, [program, ...desks.flatMap(({ programs }) => programs)]);
  return { home, client, desks, databases };
}

/** A bucket that both machines reach. @returns the variables of Matterdesk */
async function openFiles(address: string, undo: Undo): Promise<Record<string, string>> {
  const { variables, stop } = await startObjectStore(address);
  undo.push(stop);
  Object.assign(process.env, variables);
  const { config } = await makeBucket();
  return {
    S3_ENDPOINT: config.endpoint,
    S3_BUCKET: config.bucket,
    S3_ACCESS_KEY_ID: config.accessKeyId,
    S3_SECRET_ACCESS_KEY: config.secretAccessKey,
  };
}

function postgresIdentity(): { uid: number; gid: number } {
  if (process.getuid?.() !== 0)
    return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A machine that runs Matterdesk with its PgBouncer and its way to the primary. */
type Desk = {
  machine: Machine;
  port: number;
  /** Third-party programs on the machine. */
  programs: Program[];
  /** The server that runs now. */
  server: () => ServerProcess;
  /** Starts the release in this checkout, and resolves when it accepts requests. */
  start: (checkout: string) => Promise<void>;
  /** It gets no more packets, and sends none. */
  cut: () => void;
  restore: () => void;
  stop: () => Promise<void>;
};

type ClusterHost = {
  network: Network;
  databases: DatabasePair;
  home: string;
  /** Environment of Matterdesk. */
  variables: Record<string, string>;
};

const PASSWORD = 'the password of matterdesk';

async function openDesk(name: string, machine: Machine, surroundings: ClusterHost): Promise<Desk> {
  const home = join(surroundings.home, name);
  mkdirSync(home, { mode: 0o755 });
  const ports = { server: await freePort(), pooler: await freePort(), route: await freePort() };
  const programs = startRoute(machine, ports, { ...surroundings, home });
  let server: ServerProcess | undefined;
  const everything = () => [...programs.map(({ pid }) => pid), ...(server?.tree() ?? [])];
  return {
    machine,
    port: ports.server,
    programs,
    server() {
      if (!server) throw new Error(`${name} is not started`);
      return server;
    },
    async start(checkout) {
      const env = {
        ...surroundings.variables,
        HOST: machine.address,
        PORT: String(ports.server),
        DATA_DIR: join(home, 'data'),
        DATABASE_URL: url(machine, ports.pooler),
        DATABASE_LISTEN_URL: url(machine, ports.route),
        ...(canPrepare() ? {} : { DATABASE_PREPARED: '0' }),
      };
      server = startProcess({ env, prefix: machine.prefix, checkout });
      await server.ready;
    },
    cut() {
      if (machine.cable) return machine.cable.disconnect();
      for (const pid of everything()) process.kill(pid, 'SIGSTOP');
    },
    restore() {
      if (machine.cable) return machine.cable.connect();
      for (const pid of everything()) process.kill(pid, 'SIGCONT');
    },
    async stop() {
      await server?.kill();
      for (const program of programs) await program.stop('SIGKILL');
    },
  };
}

type Ports = { pooler: number; route: number };

function startRoute(
  { loopback, prefix }: Machine,
  ports: Ports,
  { home, network, databases }: ClusterHost,
): Program[] {
  const route = copySettings('haproxy.database.cfg', home, [
    ['127.0.0.1:5433', `${loopback}:${ports.route}`],
    ['10.0.0.21:5432', `${network.gateway}:${databases.primary.port}`],
    ['10.0.0.22:5432', `${network.gateway}:${databases.standby.port}`],
  ]);
  const users = join(home, 'userlist.txt');
  writeFileSync(users, `"matterdesk" "${PASSWORD}"\n`);
  const pooler = copySettings('pgbouncer.ini', home, [
    ['listen_addr = 127.0.0.1', `listen_addr = ${loopback}`],
    ['host=127.0.0.1 port=5433', `host=${loopback} port=${ports.route}`],
    ['listen_port = 6432', `listen_port = ${ports.pooler}`],
    ['/etc/pgbouncer/userlist.txt', users],
    ...(canPrepare() ? ([[';max_prepared', 'max_prepared']] as const) : []),
  ]);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  return [
    startProgram([...prefix, 'haproxy', '-f', route]),
    startProgram([...prefix, 'pgbouncer', ...user, pooler]),
  ];
}

function url({ loopback }: Machine, port: number): string {
  return `postgres://matterdesk:${encodeURIComponent(PASSWORD)}@${loopback}:${port}/matterdesk`;
}

/** Whether this machine's PgBouncer is 1.21 or later. */
function canPrepare(): boolean {
  const said = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** One PostgreSQL of the two. */
type DatabaseServer = {
  port: number;
  program: Program;
  /** One statement of its superuser. */
  query: (statement: string) => Promise<Record<string, unknown>[]>;
};

type DatabasePair = { primary: DatabaseServer; standby: DatabaseServer };

type Place = { network: Network; home: string; owner: { uid: number; gid: number } };

/** A primary that acknowledges a commit when its standby has it too, as docs/scaling sets them up. */
async function startDatabasePair(place: Place): Promise<DatabasePair> {
  const { network, home } = place;
  const [first, second] = [await freePort(), await freePort()];
  const data = join(home, 'db-1');
  runAsOwner(place, 'initdb', '--pgdata', data, '--username=postgres', '--no-sync', '--auth=trust');
  configure(place, { data, port: first, standby: 'db_2' });
  const primary = await serve(place, data, first);
  await prepare(primary, copySettings('database.sql', home, []));
  const copy = join(home, 'db-2');
  const from = `host=${network.gateway} port=${first} user=replicator application_name=db_2`;
  const secret = `password='the password of replication'`;
  // -R makes it a standby of where it was copied from.
  const options = ['-R', '--checkpoint=fast', '--no-sync', '-d', `${from} ${secret}`];
  runAsOwner(place, 'pg_basebackup', '--pgdata', copy, ...options);
  configure(place, { data: copy, port: second, standby: '' });
  const standby = await serve(place, copy, second);
  return { primary, standby };
}

type Settings = { data: string; port: number; standby: string };

function configure({ network, home, owner }: Place, { data, port, standby }: Settings): void {
  const own = join(home, `${port}`);
  mkdirSync(own);
  const settings = copySettings('postgresql.conf', own, [
    ["'10.0.0.21'", `'${network.gateway},127.0.0.1'`],
    ['port = 5432', `port = ${port}`],
    [`= 'db_2'`, `= '${standby}'`],
  ]);
  const access = copySettings('pg_hba.conf', own, [['10.0.0.0/24', network.subnet]]);
  // The test asks as the superuser.
  appendFileSync(access, '\nhost all postgres 127.0.0.1/32 trust\n');
  const more = [
    `hba_file = '${access}'`,
    // The copy brings the lines of the first one.
    `include '${settings}'`,
    `unix_socket_directories = ''`,
    // Processes are killed here, never machines.
    'fsync = off',
  ];
  appendFileSync(join(data, 'postgresql.conf'), `\n${more.join('\n')}\n`);
  for (const file of [own, settings, access]) chownSync(file, owner.uid, owner.gid);
  chmodSync(own, 0o700);
}

async function serve(place: Place, data: string, port: number): Promise<DatabaseServer> {
  const program = startProgram([...asOwner(place), bin('postgres'), '-D', data]);
  const query = async (statement: string) => {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await waitFor(async () => (await query('select 1')).length > 0, [program]);
  return { port, program, query };
}

/** database.sql, statement by statement; what follows `\connect` goes to the new database. */
async function prepare({ port }: DatabaseServer, file: string): Promise<void> {
  const [before = '', after = ''] = readFileSync(file, 'utf8').split('\\connect matterdesk');
  for (const [database, text] of [
    ['postgres', before],
    ['matterdesk', after],
  ] as const) {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`);
    await client.connect();
    // The standby, which commits wait for, is not there yet.
    await client.query('set synchronous_commit = local');
    for (const statement of text.replaceAll(/^--.*$/gm, '').split(';'))
      if (statement.trim()) await client.query(statement);
    await client.end();
  }
}

function runAsOwner(place: Place, program: string, ...args: string[]): void {
  const [file = '', ...rest] = [...asOwner(place), bin(program), ...args];
  execFileSync(file, rest, { cwd: place.home, stdio: ['ignore', 'ignore', 'pipe'] });
}

function asOwner({ owner }: Place): string[] {
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--'];
}

function bin(program: string): string {
  return join(installedPostgres() ?? '', program);
}
