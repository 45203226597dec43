import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@matterdesk/server/testing/free-port.ts';
import { startProcess, type ServerProcess } from '@matterdesk/server/testing/process.ts';
import type { DatabasePair } from './database-pair.ts';
import type { Machine, Network } from './network.ts';
import { startProgram, type Program } from './program.ts';
import { copySettings } from './settings.ts';

/** A machine that runs Matterdesk with its PgBouncer and its way to the primary. */
export type Desk = {
  machine: Machine;
  port: number;
  /** Of other projects. */
  programs: Program[];
  /** The server that runs now. */
  server: () => ServerProcess;
  /** Starts the release in this checkout, and resolves when it accepts requests. */
  start: (checkout: string) => Promise<void>;
  /** It gets no more packets, and sends none. */
  cut: () => void;
  mend: () => void;
  stop: () => Promise<void>;
};

type Surroundings = {
  network: Network;
  databases: DatabasePair;
  home: string;
  /** Of Matterdesk. */
  variables: Record<string, string>;
};

const PASSWORD = 'the password of matterdesk';

export async function openDesk(
  name: string,
  machine: Machine,
  surroundings: Surroundings,
): Promise<Desk> {
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
      if (machine.cable) return machine.cable.pull();
      for (const pid of everything()) process.kill(pid, 'SIGSTOP');
    },
    mend() {
      if (machine.cable) return machine.cable.plug();
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
  { home, network, databases }: Surroundings,
): Program[] {
  const route = copySettings('haproxy.database.cfg', home, [
    ['127.0.0.1:5433', `${loopback}:${ports.route}`],
    ['10.0.0.21:5432', `${network.hub}:${databases.primary.port}`],
    ['10.0.0.22:5432', `${network.hub}:${databases.standby.port}`],
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
