import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { locateBinaries, changeOwner } from '../db/embedded/cluster.ts';
import { chooseIdentity, runAs } from '../db/embedded/identity.ts';
import { freePort, removeAll } from './process.ts';

/** An external PostgreSQL that tests start and stop, as behind DATABASE_URL. */
export type ForeignPostgres = {
  url: string;
  /** Cuts connections, as its administrator would. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
  drop: () => Promise<void>;
};

/** Debian's if installed, else the bundled one. */
export async function startForeignPostgres(): Promise<ForeignPostgres> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-foreign-'));
  const program = findProgram();
  const identity = chooseIdentity(program('postgres'), path.join(home, 'data'));
  changeOwner(home, identity);
  const data = path.join(home, 'data');
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync'];
  const initdb = runAs(identity, [program('initdb'), '-D', data, ...options]);
  const made = spawnSync(initdb.file, initdb.args, { ...initdb.options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
  ];
  const command = [program('postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  async function start() {
    const { file, args, options } = runAs(identity, command);
    server = spawn(file, args, { ...options, stdio: 'ignore' });
    await answered(url, server);
  }

  async function stop() {
    if (!server) return;
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
    server = undefined;
  }

  await start();
  return {
    url,
    start,
    stop,
    async drop() {
      await stop();
      removeAll(home);
    },
  };
}

function findProgram(): (name: 'initdb' | 'postgres') => string {
  const [debian] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  return debian ? (name) => path.join(debian, name) : locateBinaries().file;
}

/** Without vitest, since browser tests use it too. @throws once the server has ended without an answer */
async function answered(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const fault = await answer(url).catch((error: unknown) => ({ error }));
    if (!fault) return;
    if (server.exitCode !== null || server.signalCode !== null) throw fault.error;
    await delay(50);
  }
}

async function answer(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.end();
}
