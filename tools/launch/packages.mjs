import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PINNED_NODE, ROOT } from './requirements.mjs';
import { runStep } from './step.mjs';

const MODULES = path.join(ROOT, 'node_modules');
const LOCKFILE = path.join(ROOT, 'package-lock.json');
const STAMP = path.join(MODULES, '.matterdesk-install');
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Whether node_modules matches the lockfile, installed by us or by npm. */
export function arePackagesInstalled() {
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

export async function installPackages() {
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
