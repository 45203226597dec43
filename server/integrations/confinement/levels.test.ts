import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Breaches, Targets } from '../../testing/taken-over.ts';
import {
  commandAt,
  describeLevel,
  filesOf,
  findLevel,
  killGroup,
  type Level,
  LEVELS,
  nativeCommandAt,
  startNative,
  canConfine,
} from './levels.ts';

const SCRIPT = path.join(import.meta.dirname, '../../testing/taken-over.ts');
const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
/** An ordinary user; the files that it may not reach are its own. */
const USER = 65_533;
/** Starts; killing only the first process left something running in one of forty. */
const STARTS = 100;
const isRoot = process.getuid?.() === 0;

let directory: string;
let targets: Targets;
const servers = [net.createServer(), net.createServer()];

beforeAll(async () => {
  // Short, since a socket's path is.
  directory = mkdtempSync('/tmp/confined-');
  const data = path.join(directory, 'data');
  mkdirSync(data);
  const secrets = ['secret.key', 'document.pdf'].map((name) => path.join(data, name));
  for (const file of secrets) writeFileSync(file, 'secret', { mode: 0o600 });
  const socket = path.join(data, '.s.PGSQL.5432');
  const [tcp, unix] = servers as [net.Server, net.Server];
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => unix.listen(socket, resolve));
  const { port } = tcp.address() as AddressInfo;
  for (const place of isRoot ? [directory, data, ...secrets, socket] : [])
    chownSync(place, USER, USER);
  chmodSync(data, 0o700);
  const places = [data, directory, tmpdir(), '/dev/shm', '/', homedir(), CHECKOUT];
  targets = {
    secrets: [...secrets, '/etc/shadow', '/etc/passwd', path.join(CHECKOUT, 'server/main.ts')],
    data,
    directories: [...places, path.join(CHECKOUT, 'node_modules'), import.meta.dirname],
    port,
    socket,
    parent: process.pid,
  };
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(directory, { recursive: true });
});

type Attack = { level: Level; asUser?: boolean; isNative?: boolean };

/** Runs the hostile script just as a reader is run. */
function attack({ level, asUser = false, isNative = false }: Attack): Promise<Breaches> {
  const command = commandAt(level, { script: SCRIPT, heap: 200 });
  // A script without Node's permissions may do the same as native code.
  const args = command.args.filter((word) => !isNative || !/^--(permission|allow-)/.test(word));
  const user = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--'];
  const [file = '', ...rest] = [...(asUser ? user : []), command.file, ...args];
  return run(file, rest, targets);
}

async function run(file: string, args: string[], aims: Targets): Promise<Breaches> {
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'ignore', 'inherit', 'pipe'] });
  child.stdin?.end(JSON.stringify(aims));
  return (await json(child.stdio[3] as NodeJS.ReadableStream)) as Breaches;
}

/** Everything that one of these levels does not keep away. */
const OPEN: Record<Level, { script: RegExp[]; native: RegExp[] }> = {
  bubblewrap: { script: [], native: [] },
  namespaces: { script: [], native: [] },
  user: {
    script: [/^connect to a port$/],
    // Open to every account on the machine.
    native: [/^connect to a port$/, /^read .*(passwd|main\.ts)/, /^(link|run) /],
  },
  // Native code may do there whatever the server may.
  'permissions only': { script: [/^connect /, /^signal /], native: [] },
};

const beyond = (loot: Breaches, open: RegExp[]) =>
  loot.filter((what) => !open.some((pattern) => pattern.test(what)));

test('the attack succeeds on what is not confined', async () => {
  const loot = await run(process.execPath, [SCRIPT], { ...targets, directories: [directory] });
  expect(loot).toEqual(expect.arrayContaining(['connect to a port', 'connect to a socket']));
  expect(loot).toContain(`read ${targets.secrets[0]}`);
  expect(loot).toContain(`read the environment of ${process.pid}`);
  expect(loot).toContain(`write to ${directory}`);
});

describe.each(LEVELS)('a document that takes over its reader, confined by: %s', (level) => {
  let isHere: boolean;
  beforeAll(async () => {
    isHere = await canConfine(level);
  });

  test('reaches nothing that the level keeps away', async ({ skip }) => {
    skip(!isHere, 'not on this machine');
    expect(beyond(await attack({ level }), OPEN[level].script)).toEqual([]);
  });

  test('reaches nothing more with native code', async ({ skip }) => {
    skip(!isHere || level === 'permissions only', 'not on this machine');
    expect(beyond(await attack({ level, isNative: true }), OPEN[level].native)).toEqual([]);
  });

  test('reaches nothing more from an installed program, which is not run without a level', async ({
    skip,
  }) => {
    skip(!isHere, 'not on this machine');
    const command = nativeCommandAt(level, {
      file: process.execPath,
      args: [SCRIPT],
      files: [...(await filesOf(process.execPath)), SCRIPT],
      variables: {},
      limits: { memory: 2 ** 40, seconds: 60 },
    });
    expect(command === undefined).toBe(level === 'permissions only');
    const loot = command ? await run(command.file, command.args, targets) : [];
    expect(beyond(loot, OPEN[level].native)).toEqual([]);
  });

  test('reaches nothing where the server runs as an ordinary user', async ({ skip }) => {
    const isTried = isHere && isRoot && (level === 'bubblewrap' || level === 'namespaces');
    skip(!isTried, 'not on this machine');
    expect(await attack({ level, asUser: true })).toEqual([]);
  });
});

test('the strongest level of the machine is found by trying, and named', async () => {
  const level = await findLevel();
  for (const stronger of LEVELS.slice(0, LEVELS.indexOf(level)))
    expect(await canConfine(stronger)).toBe(false);
  expect(describeLevel(level)).toContain(level);
  expect(describeLevel('permissions only')).toContain('warning');
  expect(describeLevel('namespaces')).not.toContain('warning');
});

test('a program that is killed while it starts leaves nothing running', async ({ skip }) => {
  skip((await findLevel()) === 'permissions only', 'programs cannot be confined on this machine');
  const place = mkdtempSync('/tmp/killed-');
  chmodSync(place, 0o755);
  const file = path.join(place, 'waits');
  writeFileSync(file, '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 });
  const limits = { memory: 1e9, seconds: 600 };
  const program = { file, args: [], files: await filesOf(file), variables: {}, limits };
  for (let start = 0; start < STARTS; start += 1) {
    const child = await startNative(program);
    if (!child) throw new Error('The program was not started');
    // Its output stays open as long as any part of it runs.
    const closed = once(child, 'close');
    // At another moment of the start each time.
    await delay(start % 12);
    killGroup(child);
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
  rmSync(place, { recursive: true });
});
