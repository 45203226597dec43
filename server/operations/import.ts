import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  importKinds,
  type Import,
  type ImportProfile,
  importProfiles,
} from '@matterdesk/contract/imports.ts';
import type { App } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { loadSecretKey } from '../data-directory.ts';
import { openPool } from '../db/connect.ts';
import { commandActor } from '../features/accounts/service.ts';
import { importFolder, listProblemsOf } from '../features/imports/service.runs.ts';
import { DiskBlobStore } from '../integrations/blobs/disk.ts';
import { createLog } from '../log.ts';
import { CommandError, count, runCommand, say } from './command.ts';
import { findData, reachDatabase } from './reach-database.ts';

const USAGE =
  'npm run import -- --profile <system> <folder>: also --dry-run, --map <file.json>, --as <email of an administrator>';
/** Milliseconds between lines of progress. */
const PROGRESS_INTERVAL_MS = 2000;

type ImportOptions = {
  profile: ImportProfile;
  dir: string;
  isDry: boolean;
  email: string | undefined;
  change: object;
};

await runCommand(async (args) => {
  const asked = await readAsked(args);
  await requireFolder(asked.dir);
  const config = readConfig(process.env);
  await withApp(config, async ({ context, db }) => {
    const actor = await commandActor(db, asked.email);
    if (!actor) throw new CommandError('There is no such administrator');
    const done = await importFolder({ ...context, actor }, { ...asked, onProgress: progress() });
    for (const line of linesOf(done)) say(line);
    let refused = 0;
    for await (const line of listProblemsOf(context, done.id)) {
      say(line);
      refused += 1;
    }
    if (done.state === 'failed') throw new CommandError(done.error ?? 'The import failed');
    if (refused > 0) process.exitCode = 1;
  });
});

async function readAsked(args: string[]): Promise<ImportOptions> {
  const text = { type: 'string' } as const;
  const options = { profile: text, map: text, as: text, 'dry-run': { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const profile = importProfiles.find((key) => key === values.profile);
    const [dir, ...more] = positionals;
    if (!profile || dir === undefined || more.length > 0) throw new Error('incomplete');
    // npm runs scripts in the checkout, wherever it was called.
    const from = (name: string) => path.resolve(process.env['INIT_CWD'] ?? '.', name);
    const change = values.map === undefined ? {} : await readMap(from(values.map));
    return {
      profile,
      change,
      dir: from(dir),
      isDry: values['dry-run'] === true,
      email: values.as,
    };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${USAGE}. Systems: ${importProfiles.join(', ')}`, { cause: error });
  }
}

async function requireFolder(dir: string): Promise<void> {
  try {
    await readdir(dir);
  } catch (error) {
    throw new CommandError(`${dir} is not a folder that can be read`, { cause: error });
  }
}

/** Columns and words as the API takes them: `{ "mapping": …, "tables": … }`. */
async function readMap(file: string): Promise<ImportOptions['change']> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object;
  } catch (error) {
    throw new CommandError(`${file} is not JSON that can be read`, { cause: error });
  }
}

/** The application on the database of the running server, else on one started for this command; without routes and jobs. */
async function withApp(config: Config, work: (app: App) => Promise<void>): Promise<void> {
  const { databaseUrl } = config;
  const dataDir = databaseUrl ? config.dataDir : await findData(config.dataDir, 'import into');
  const { connection, release } = databaseUrl
    ? { connection: { connectionString: databaseUrl }, release: () => Promise.resolve() }
    : await reachDatabase(dataDir);
  const pool = openPool(connection, () => undefined);
  try {
    const { rows } = await pool.query<{ there: boolean }>(
      `select to_regclass('imports') is not null as there`,
    );
    if (!rows[0]?.there)
      throw new CommandError('The database is of an earlier version: run npm start once');
    const secretKey = config.secretKey ?? (await loadSecretKey(dataDir));
    const { buildApp } = await import('../app.ts');
    const blobs = config.s3
      ? await openS3(config)
      : DiskBlobStore.beside(path.join(dataDir, 'files'));
    const log = createLog('error');
    const app = await buildApp({ config, secretKey, pool, listening: pool, blobs, log });
    try {
      await work(app);
    } finally {
      await app.http.close();
    }
  } finally {
    await pool.end();
    await release();
  }
}

async function openS3({ s3 }: Config) {
  if (!s3) throw new Error('S3 is not configured');
  const { S3BlobStore } = await import('../integrations/blobs/s3.ts');
  return new S3BlobStore(s3);
}

/** Prints the progress of the import from time to time. */
function progress(): (one: Import) => void {
  let last = performance.now();
  return ({ progress: now }) => {
    if (!now || performance.now() < last + PROGRESS_INTERVAL_MS) return;
    last = performance.now();
    const of = now.total === null ? '' : ` of ${count(now.total)}`;
    say(`${now.kind}: ${count(now.done)}${of}`);
  };
}

function linesOf({ counts }: Import): string[] {
  return importKinds.flatMap((kind) => {
    const own = counts[kind];
    if (!own) return [];
    const outcomes = ['new', 'changed', 'same', 'conflicting', 'refused'] as const;
    const parts = outcomes.map((outcome) => `${count(own[outcome])} ${outcome}`);
    return [`${kind}: ${count(own.found)} found, ${parts.join(', ')}`];
  });
}
