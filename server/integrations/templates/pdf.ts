// Word files as PDF, by LibreOffice where it is installed.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import type { Config } from '../../config.ts';
import { findLevel, type Level } from '../confinement/levels.ts';

/** Milliseconds of a run. */
const CONVERSION_TIMEOUT_MS = 60_000;
/** LibreOffice is large, and two runs would share this machine. */
const oneAtATime = pLimit(1);
const run = promisify(execFile);

type PdfOptions = Pick<Config, 'soffice' | 'dataDir'>;
type ConversionResult = { bytes: Buffer } | { error: string };

const late = { error: 'There was no time left for the PDF. Make fewer at a time.' };

export function canMakePdf({ soffice }: Pick<Config, 'soffice'>): boolean {
  return soffice !== undefined;
}

/** One at a time, each with a profile of its own, without network. @returns a sentence where it fails */
export function toPdf(
  installed: PdfOptions,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<ConversionResult> {
  const made = oneAtATime(() => (signal.aborted ? late : convert(installed, bytes, signal)));
  // Runs of other requests may take longer than this one has time.
  const givenUp = new Promise<ConversionResult>((resolve) => {
    if (signal.aborted) resolve(late);
    signal.addEventListener('abort', () => resolve(late), { once: true });
  });
  return Promise.race([made, givenUp]);
}

async function convert(
  installed: PdfOptions,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<ConversionResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-pdf-'));
  try {
    await writeFile(path.join(directory, 'letter.docx'), bytes);
    const [file = '', ...args] = commandIn(directory, installed, await findLevel());
    const env = { HOME: directory, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
    const limits = { timeout: CONVERSION_TIMEOUT_MS, killSignal: 'SIGKILL', signal } as const;
    await run(file, args, { env, cwd: directory, ...limits });
    return { bytes: await readFile(path.join(directory, 'letter.pdf')) };
  } catch {
    return { error: 'LibreOffice could not make the PDF' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The run within its directory. Where neither bubblewrap nor namespaces work, the network is still out of reach for what
 * we send: templates with links to other files are refused when they are uploaded.
 */
function commandIn(
  directory: string,
  { soffice = '', dataDir }: PdfOptions,
  level: Level,
): string[] {
  const convert = [
    soffice,
    `-env:UserInstallation=file://${directory}/profile`,
    ...CONVERT,
    directory,
    path.join(directory, 'letter.docx'),
  ];
  switch (level) {
    case 'bubblewrap':
      return [...BUBBLEWRAP, '--tmpfs', dataDir, '--bind', directory, directory, '--', ...convert];
    case 'namespaces':
      return [...NO_PRIVILEGES, ...NAMESPACES, ...convert];
    case 'user':
    case 'permissions only':
      return [...NO_PRIVILEGES, ...convert];
  }
}

const CONVERT = wordsOf(
  '--headless --norestore --nolockcheck --nodefault --convert-to pdf --outdir',
);
const NO_PRIVILEGES = wordsOf('setpriv --pdeathsig KILL --no-new-privs --');
const NAMESPACES = wordsOf('unshare --user --map-root-user --net --pid --fork --kill-child --');
const BUBBLEWRAP = wordsOf(`bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL
  --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp`);

function wordsOf(line: string): string[] {
  return line.split(/\s+/);
}
