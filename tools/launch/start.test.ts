import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

// A checkout of stand-ins, since the launcher is under test, not npm, Vite or the server.
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-launch-'));
let checkout: string;
let number = 0;

afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

beforeEach(() => {
  checkout = path.join(base, `my desk ${(number += 1)}`);
  fs.cpSync(import.meta.dirname, path.join(checkout, 'tools/launch'), { recursive: true });
  const lock = { packages: { '': {}, 'node_modules/vite': { version: '1.0.0', integrity: 'x' } } };
  write('package-lock.json', JSON.stringify(lock));
  write('tsconfig.base.json', '{}');
  // The product's guides are part of the client.
  for (const guide of ['google', 'twilio']) write(`docs/${guide}.md`, '');
  write('contract/cases.ts', 'export {};');
  write('client/main.tsx', 'export {};');
  write('npm/npm-cli.js', STUB_OF_NPM);
  write('server/main.ts', 'console.log("served by", process.execPath);');
});

const STUB_OF_NPM = `
const fs = require('node:fs');
fs.appendFileSync('calls', 'npm ' + process.argv.slice(2, 4).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/vite/bin', { recursive: true });
fs.mkdirSync('node_modules/node-linux-' + process.arch + '/bin', { recursive: true });
fs.symlinkSync(process.execPath, 'node_modules/node-linux-' + process.arch + '/bin/node');
fs.writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(`
const fs = require('node:fs');
fs.appendFileSync('../calls', 'vite\\n');
if (fs.existsSync('broken')) { console.error('main.tsx is broken'); process.exit(1); }
const out = process.argv[process.argv.indexOf('--outDir') + 1];
fs.mkdirSync(out, { recursive: true });
setTimeout(() => fs.writeFileSync(out + '/index.html', 'built'), 300);
`)});
fs.writeFileSync('node_modules/.package-lock.json', fs.readFileSync('package-lock.json'));
`;

function write(name: string, content: string) {
  const file = path.join(checkout, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

function read(name: string) {
  return fs.readFileSync(path.join(checkout, name), 'utf8');
}

function launch(script: string, ...args: string[]) {
  const npm = path.join(checkout, 'npm/npm-cli.js');
  const { npm_lifecycle_event: _, npm_node_execpath: __, ...env } = process.env;
  return spawn(process.execPath, [path.join(checkout, 'tools/launch', script), ...args], {
    cwd: '/',
    env: { ...env, npm_execpath: npm },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess & ReturnType<typeof launch>) {
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { out, err, code };
}

function start() {
  return ended(launch('start.mjs'));
}

test('installs and builds on the first start, and is quiet on the second', async () => {
  const first = await start();
  expect(first.err).toBe('');
  expect(first.out).toMatch(
    /^Installing packages \(first start only\) …\n[^]*Building the client …\n[^]*served by /,
  );
  expect(first.code).toBe(0);
  const second = await start();
  expect(second.out).toMatch(/^served by .*\n$/);
  expect(read('calls')).toBe('npm ci --ignore-scripts\nvite\n');
  expect(read('client/dist/index.html')).toBe('built');
});

test('the launcher builds again for a changed source, but not for a changed test', async () => {
  await start();
  write('client/rules.test.ts', 'test();');
  await start();
  expect(read('calls')).toBe('npm ci --ignore-scripts\nvite\n');
  write('contract/cases.ts', 'export const changed = true;');
  await start();
  expect(read('calls')).toBe('npm ci --ignore-scripts\nvite\nvite\n');
});

test('installs again for a changed lockfile, unless npm has done so', async () => {
  await start();
  const lock = { packages: { '': {}, 'node_modules/vite': { version: '1.0.1', integrity: 'y' } } };
  write('package-lock.json', JSON.stringify(lock));
  await ended(launch('run.mjs', 'server/main.ts'));
  expect(read('calls')).toBe('npm ci --ignore-scripts\nvite\nnpm ci --ignore-scripts\n');
  fs.rmSync(path.join(checkout, 'node_modules/.matterdesk-install'));
  const { out } = await ended(launch('run.mjs', 'server/main.ts'));
  expect(out).toMatch(/^served by/);
});

test('the launcher keeps the client that is there when a build fails, and shows why it failed', async () => {
  await start();
  write('client/broken', '');
  const { err, code } = await start();
  expect(err).toBe('main.tsx is broken\nBuilding the client failed (exit code 1)\n');
  expect(code).toBe(1);
  expect(read('client/dist/index.html')).toBe('built');
});

test('the launcher prepares once when two start at the same time', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(read('calls')).toBe('npm ci --ignore-scripts\nvite\n');
});

const SERVER = `
const fs = require('node:fs');
process.on('disconnect', () => { fs.appendFileSync('heard', 'disconnect'); process.exit(0); });
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
  fs.appendFileSync('heard', name);
  setTimeout(() => process.exit(0), 100);
});
console.log('ready');
`;

async function untilReady(child: ReturnType<typeof launch>) {
  for await (const chunk of child.stdout) if (String(chunk).includes('ready')) return;
}

test('the launcher tells the server once to stop, and ends as well as it does', async () => {
  write('server/main.ts', SERVER);
  const child = launch('start.mjs');
  await untilReady(child);
  child.kill('SIGTERM');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(read('heard')).toMatch(/^SIG(TERM|INT)$/);
});

test('the launcher lets the server know when it is killed itself', async () => {
  write('server/main.ts', SERVER);
  const child = launch('start.mjs');
  await untilReady(child);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(read('heard')).toBe('disconnect'), { timeout: 60_000 });
});

test('the launcher ends with the code of a server that fails, or 128 and the signal that killed it', async () => {
  write('server/main.ts', 'process.exit(3);');
  expect((await start()).code).toBe(3);
  write('server/main.ts', "process.kill(process.pid, 'SIGKILL');");
  expect((await start()).code).toBe(137);
});

test('the launcher runs any script or installed program with its arguments in the checkout', async () => {
  write('hello.ts', 'console.log(process.cwd(), process.argv.slice(2) satisfies string[]);');
  const script = await ended(launch('run.mjs', 'hello.ts', 'a', 'b c'));
  expect(script.out).toContain(`${checkout} [ 'a', 'b c' ]`);
  write('node_modules/.bin/greet', '#!/bin/sh\necho "hello $1"\n');
  fs.chmodSync(path.join(checkout, 'node_modules/.bin/greet'), 0o755);
  expect((await ended(launch('run.mjs', '--bin', 'greet', 'you'))).out).toBe('hello you\n');
  expect((await ended(launch('run.mjs'))).code).toBe(2);
});

test.each([
  [{ platform: 'darwin', arch: 'arm64', versions: { node: '24.0.0' } }, 'runs on Linux'],
  [{ platform: 'linux', arch: 'ia32', versions: { node: '24.0.0' } }, 'x64 and arm64'],
  [{ platform: 'linux', arch: 'x64', versions: { node: '18.20.4' } }, 'needs Node 20 or newer'],
  [{ platform: 'linux', arch: 'x64', versions: { node: '20.0.0' } }, 'undefined'],
])('the launcher says in one sentence what is missing: %j', async (machine, sentence) => {
  const module = path.join(import.meta.dirname, 'requirements.mjs');
  const script = `const { unmetRequirement } = await import(${JSON.stringify(module)});
    console.log(unmetRequirement(${JSON.stringify(machine)}));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  expect(await text(child.stdout)).toContain(sentence);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'the launcher is started by a unit in which systemd finds no fault',
  () => {
    const unit = path.resolve(import.meta.dirname, '../../docs/install/matterdesk.service');
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);
