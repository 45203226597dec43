import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '@matterdesk/server/testing/process.ts';
import { installedPostgres } from '../checks/services.ts';
import { type Network, startProgram, waitFor, type Program, copySettings } from './network.ts';

/** One PostgreSQL of the two. */
export type DatabaseServer = {
  port: number;
  program: Program;
  /** One statement of its superuser. */
  query: (statement: string) => Promise<Record<string, unknown>[]>;
};

export type DatabasePair = { primary: DatabaseServer; standby: DatabaseServer };

type Place = { network: Network; home: string; owner: { uid: number; gid: number } };

/** A primary that acknowledges a commit when its standby has it too, as docs/scaling sets them up. */
export async function startDatabasePair(place: Place): Promise<DatabasePair> {
  const { network, home } = place;
  const [first, second] = [await freePort(), await freePort()];
  const data = join(home, 'db-1');
  runAsOwner(place, 'initdb', '--pgdata', data, '--username=postgres', '--no-sync', '--auth=trust');
  configure(place, { data, port: first, standby: 'db_2' });
  const primary = await serve(place, data, first);
  await prepare(primary, copySettings('database.sql', home, []));
  const copy = join(home, 'db-2');
  const from = `host=${network.hub} port=${first} user=replicator application_name=db_2`;
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
    ["'10.0.0.21'", `'${network.hub},127.0.0.1'`],
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
