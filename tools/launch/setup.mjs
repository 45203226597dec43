import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodeOf, STOP_SIGNALS } from './child.mjs';
import { ROOT, PINNED_NODE } from './requirements.mjs';

/** Installs the lockfile's packages and, on request, builds the client, if stale. Throws one sentence on failure, after the failed output. */
export async function prepare({ build }) {
  const isReady = () => arePackagesInstalled() && (!build || isClientBuilt());
  if (isReady()) return;
  requireWritable();
  await withSetupLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (build && !isClientBuilt()) await buildClient();
  });
}

/** The same for launchers: exits on failure with the sentence as the last line. */
export async function prepareOrExit(options) {
  try {
    await prepare(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function requireWritable() {
  try {
    fs.accessSync(ROOT, fs.constants.W_OK);
  } catch (error) {
    throw new Error(
      `Packages or client are not up to date, and this user may not write to ${ROOT}; let its owner run npm start once`,
      { cause: error },
    );
  }
}

const BUILD = path.join(ROOT, 'client/dist');
const BUILD_STAMP = '.matterdesk-build';
const SOURCES = [
  'client',
  'contract',
  'docs/google.md',
  'docs/twilio.md',
  'package-lock.json',
  'tsconfig.base.json',
];
const NO_SOURCE = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

function isClientBuilt() {
  const stamp = path.join(BUILD, BUILD_STAMP);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashOfSources();
}

/** Builds next to the old client and swaps, so that a partial build is never served. */
async function buildClient() {
  const next = path.join(ROOT, '.cache/client-next');
  const previous = path.join(ROOT, '.cache/client-previous');
  const hash = hashOfSources();
  fs.rmSync(next, { recursive: true, force: true });
  fs.rmSync(previous, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(next), { recursive: true });
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  await runStep('Building the client', {
    file: PINNED_NODE,
    args: [vite, 'build', '--outDir', next, '--emptyOutDir'],
    cwd: path.join(ROOT, 'client'),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  fs.writeFileSync(path.join(next, BUILD_STAMP), hash);
  if (fs.existsSync(BUILD)) fs.renameSync(BUILD, previous);
  fs.renameSync(next, BUILD);
  fs.rmSync(previous, { recursive: true, force: true });
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow)) {
    const content = fs.readFileSync(path.join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(place) {
  if (NO_SOURCE.test(place)) return [];
  const full = path.join(ROOT, place);
  if (!fs.statSync(full).isDirectory()) return [place];
  return fs
    .readdirSync(full)
    .toSorted()
    .flatMap((name) => filesBelow(`${place}/${name}`));
}

const MODULES = path.join(ROOT, 'node_modules');
const LOCKFILE = path.join(ROOT, 'package-lock.json');
const STAMP = path.join(MODULES, '.matterdesk-install');
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Whether node_modules matches the lockfile, installed by us or by npm. */
function arePackagesInstalled() {
  const lockfile = fs.readFileSync(LOCKFILE);
  const wanted = stampOf(lockfile);
  if (!fs.existsSync(PINNED_NODE)) return false;
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === wanted) return true;
  if (!didNpmInstall(lockfile)) return false;
  try {
    fs.writeFileSync(STAMP, wanted);
  } catch {
    // Not writable for us: compare again next time.
  }
  return true;
}

async function installPackages() {
  requireGlibc();
  const isFirst = !fs.existsSync(MODULES);
  const wanted = stampOf(fs.readFileSync(LOCKFILE));
  fs.rmSync(STAMP, { force: true });
  const npm = npmCommand();
  await runStep(isFirst ? 'Installing packages (first start only)' : 'Installing packages', {
    ...npm,
    args: [...npm.args, 'ci', ...OPTIONS, '--include=dev', '--include=optional', ...cacheOption()],
    env: environmentForNpm(),
  });
  if (!fs.existsSync(PINNED_NODE)) throw new Error(`npm ci did not bring ${PINNED_NODE}`);
  fs.writeFileSync(STAMP, wanted);
}

function stampOf(lockfile) {
  const hash = createHash('sha256').update(lockfile).digest('hex');
  return `${hash} ${process.platform}-${process.arch}\n`;
}

/** npm writes this file when an installation completes; after an interruption it is missing. */
function didNpmInstall(lockfile) {
  const record = path.join(MODULES, '.package-lock.json');
  if (!fs.existsSync(record)) return false;
  const wanted = JSON.parse(lockfile).packages;
  const installed = JSON.parse(fs.readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const found = installed[place];
    if (!found) return entry.optional === true && !isFor(entry, process);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** Whether an optional package supports this platform. */
function isFor({ os: systems, cpu, libc }, { platform, arch }) {
  if (!systems && !cpu) return false;
  const fits = (list, own) => !list || list.includes(own);
  return fits(systems, platform) && fits(cpu, arch) && fits(libc, 'glibc');
}

function requireGlibc() {
  if (process.report.getReport().header.glibcVersionRuntime) return;
  throw new Error('Matterdesk needs a Linux with glibc, which Alpine and other musl systems lack');
}

/** The npm that started us, else npm on the PATH. */
function npmCommand() {
  const { npm_execpath: script = '', npm_node_execpath: node } = process.env;
  if (path.basename(script) !== 'npm-cli.js') return { file: 'npm', args: [] };
  return { file: node && fs.existsSync(node) ? node : process.execPath, args: [script] };
}

/** Otherwise `npm --prefix <dir> start` would move the global folder of our own npm. */
function environmentForNpm() {
  const { npm_config_prefix: _, npm_config_local_prefix: __, ...kept } = process.env;
  return kept;
}

/** Users without a writable home need another cache. */
function cacheOption() {
  const usual = process.env['npm_config_cache'] || path.join(os.homedir(), '.npm');
  return isWritable(usual) ? [] : [`--cache=${path.join(ROOT, '.cache/npm')}`];
}

function isWritable(place) {
  try {
    if (!fs.existsSync(place) && place !== path.dirname(place))
      return isWritable(path.dirname(place));
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` alone on this checkout, after any setup that is running. */
async function withSetupLock(work) {
  const { dev, ino } = fs.statSync(ROOT, { bigint: true });
  const lock = await takeName(`matterdesk-setup-${dev}-${ino}`);
  try {
    await work();
  } finally {
    lock.close();
  }
}

/** A kernel name, which is released however this process ends. */
async function takeName(name) {
  const begun = Date.now();
  for (let isReported = false; ;) {
    const lock = await tryName(name);
    if (lock) return lock;
    if (!isReported && Date.now() - begun > 1000) {
      console.log('Waiting for another start that prepares this checkout …');
      isReported = true;
    }
    await delay(100);
  }
}

function tryName(name) {
  return new Promise((resolve, reject) => {
    const server = net.createServer((visitor) => visitor.destroy());
    server.once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(`\0${name}`, () => resolve(server));
  });
}

const TICK_MS = 5000;
const GRACE_MS = 2000;
/** Preloaded, it ends a Node process together with the launcher. */
export const TETHER = new URL('./tether.mjs', import.meta.url).href;

/**
 * Runs a slow Node script (or npm), reports elapsed time and shows the
 * output only on failure. Throws one sentence then. Signals end both it and us.
 */
export async function runStep(label, { file, args, cwd = ROOT, env }) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  console.log(`${label} …`);
  const timer = setInterval(() => console.log(`… ${seconds()} s`), TICK_MS);
  const tied = file === 'npm' ? args : ['--import', TETHER, ...args];
  const child = spawn(file, tied, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  try {
    const { output, code, signal } = await ended(child);
    if (code !== 0) {
      process.stderr.write(output);
      throw new Error(`${label} failed (${signal ?? `exit code ${code}`})`);
    }
    console.log(`${label}: done in ${seconds()} s`);
  } finally {
    clearInterval(timer);
  }
}

async function ended(child) {
  let output = '';
  let interruption;
  const stop = (signal) => {
    interruption = signal;
    child.kill(signal);
    // npm cleans up slowly; leftovers are found stale next time.
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code, signal] = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve([1, undefined]);
    });
    child.once('close', (...end) => resolve(end));
  });
  for (const name of STOP_SIGNALS) process.off(name, stop);
  if (interruption) process.exit(exitCodeOf(null, interruption));
  return { output, code, signal };
}
