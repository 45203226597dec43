// Attacks by a document that has taken over its reader. Run as readers are run; see levels.test.ts.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

/** Places that must stay out of reach, as the test set them up. */
export type Targets = {
  /** Files that hold secrets. */
  secrets: string[];
  /** Their directory. */
  data: string;
  /** Directories that the test itself may write to. */
  directories: string[];
  port: number;
  socket: string;
  /** The process that started this one. */
  parent: number;
};

/** Attacks that worked, in words; each is a defect. */
export type Breaches = string[];

const breaches: Breaches = [];

function attempt(what: string, work: () => unknown): void {
  try {
    const found = work();
    if (found !== false) breaches.push(what);
  } catch {
    // As it should.
  }
}

function connect(what: string, to: net.NetConnectOpts): Promise<void> {
  return new Promise((resolve) => {
    try {
      const socket = net.connect(to, () => {
        breaches.push(what);
        socket.destroy();
        resolve();
      });
      socket.on('error', () => resolve());
    } catch {
      resolve();
    }
  });
}

function readInThread(file: string): Promise<void> {
  const code = `require('fs').readFileSync(${JSON.stringify(file)}); require('worker_threads').parentPort.postMessage(1)`;
  return new Promise((resolve) => {
    try {
      const worker = new Worker(code, { eval: true, execArgv: [], env: {} });
      worker.once('message', () => breaches.push(`read ${file} in a thread`));
      worker.once('error', () => resolve());
      worker.once('exit', () => resolve());
    } catch {
      resolve();
    }
  });
}

async function attack({
  secrets,
  data,
  directories,
  port,
  socket,
  parent,
}: Targets): Promise<void> {
  for (const file of secrets) {
    attempt(`read ${file}`, () => fs.readFileSync(file));
    await readInThread(file);
  }
  for (const pid of [parent, process.ppid].filter((pid) => pid > 1)) {
    attempt(`read the environment of ${pid}`, () => fs.readFileSync(`/proc/${pid}/environ`));
    attempt(`signal ${pid}`, () => process.kill(pid, 0));
  }
  attempt(`list ${data}`, () => fs.readdirSync(data));
  for (const directory of directories) {
    const own = `${directory}/planted-${process.pid}`;
    attempt(`write to ${directory}`, () => fs.writeFileSync(`${own}.js`, 'planted'));
    attempt(`load what was written to ${directory}`, () => {
      fs.writeFileSync(`${own}.node`, 'native');
      process.dlopen({ exports: {} }, `${own}.node`);
    });
    attempt(`link ${directory}`, () => fs.symlinkSync('/etc/shadow', `${own}.link`));
    for (const ending of ['js', 'node', 'link'])
      attempt('', () => fs.rmSync(`${own}.${ending}`, { force: true }) ?? false);
  }
  for (const program of ['/bin/sh', '/bin/true'])
    attempt(`run ${program}`, () => spawnSync(program, ['-c', 'exit 0']).status === 0);
  // Native code may start Node again, in the same confinement.
  if (process.execArgv.includes('--permission'))
    attempt('run node', () => spawnSync(process.execPath, ['--version']).status === 0);
  attempt('become root', () => {
    if (process.getuid?.() === 0) return false;
    process.setuid?.(0);
    return process.getuid?.() === 0;
  });
  for (const name of Object.keys(process.env))
    if (!['PWD', 'SHLVL', '_'].includes(name)) breaches.push(`the variable ${name}`);
  await connect('connect to a port', { host: '127.0.0.1', port });
  await connect('connect to a socket', { path: socket });
}

await attack(JSON.parse(fs.readFileSync(0, 'utf8')) as Targets);
fs.writeSync(3, JSON.stringify(breaches));
process.exit(0);
