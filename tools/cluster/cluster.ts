import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@matterdesk/server/testing/client.ts';
import { freePort } from '@matterdesk/server/testing/free-port.ts';
import { makeBucket } from '@matterdesk/server/testing/object-store.ts';
import { isCephInstalled, startObjectStore } from '../checks/ceph-s3.ts';
import { root } from '../checks/run.ts';
import { startDatabasePair, type DatabasePair } from './database-pair.ts';
import { openDesk, type Desk } from './desk.ts';
import { layNetwork } from './network.ts';
import { startProgram, waitFor } from './program.ts';
import { copySettings } from './settings.ts';

type Undo = (() => Promise<void> | void)[];

/** Two machines with Matterdesk behind a balancer, before a primary with its standby. */
export type Cluster = {
  /** A directory for whatever the test makes. */
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
  const files = isCephInstalled() ? await openFiles(network.hub, undo) : {};
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
