import fs from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readConfig } from '../config.ts';
import { openDataDirectory } from '../data-directory.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { damaged, DATA, openBackup, type OpenedBackup, requireSame } from './backup-contents.ts';
import { CommandError, runCommand, say } from './command.ts';
import { copyTree } from './copy-tree.ts';
import { readPassphrase, decryptor, NotAuthentic } from './encryption.ts';
import { dataIn, draftIn, finishSwap, swapIn } from './swap.ts';

type RestoreOptions = {
  backup: string;
  /** Opens an encrypted backup. */
  passphrase: string | undefined;
  /** DATA_DIR. */
  wanted: string;
  /** Whether existing data may be set aside. */
  replaces: boolean;
};

/**
 * Restores a backup into DATA_DIR, which no server may use meanwhile. Everything is copied, verified
 * against its checksums and opened by PostgreSQL before DATA_DIR changes.
 * @returns where the previous data are now, if any
 */
async function restoreBackup({
  backup,
  passphrase,
  wanted,
  replaces,
}: RestoreOptions): Promise<string | undefined> {
  const opened = await openBackup(backup, passphrase);
  if (!opened.key) say('This backup is readable for anyone: it was made without BACKUP_KEY');
  const directory = await openDataDirectory(wanted);
  try {
    const dataDir = directory.path;
    await finishSwap(dataDir);
    if (!replaces && (await dataIn(dataDir)).length > 0)
      throw new CommandError(`DATA_DIR ${wanted} is not empty: --replace moves its contents aside`);
    const draft = draftIn(dataDir);
    await fs.rm(draft, { recursive: true, force: true });
    try {
      say('Copying the backup');
      await copyInto(draft, backup, opened);
      await openOnce(path.join(draft, 'postgres'));
      return await swapIn(dataDir, new Date());
    } catch (error) {
      await fs.rm(draft, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await directory.release();
  }
}

async function copyInto(draft: string, backup: string, { sums, key }: OpenedBackup): Promise<void> {
  const codec = key && ((name: string) => decryptor(key, name));
  const options = { codec, sumsOriginals: true };
  const copied = copyTree(path.join(backup, DATA), draft, options).catch((error: unknown) => {
    throw error instanceof NotAuthentic ? damaged(backup, `${DATA}/${error.message}`) : error;
  });
  requireSame(backup, sums, await copied);
}

/** Removes what would let in someone who was locked out after the backup. */
const END_ACCESS = `
  do $$
  declare name text;
  begin
    foreach name in array array['google_states', 'sessions', 'known_browsers', 'password_links', 'invitations'] loop
      if to_regclass(name) is not null then execute format('delete from %I', name); end if;
    end loop;
  end $$`;

/** PostgreSQL recovers the copy from its log, and must be able to read the firm's tables. */
async function openOnce(directory: string): Promise<void> {
  say('Opening the database');
  const database = await startEmbeddedPostgres({ directory, log: () => undefined });
  const client = new pg.Client(database.connection);
  try {
    await client.connect();
    const { rows } = await client.query<{ users: number; cases: number }>(
      'select (select count(*)::int from users) as users, (select count(*)::int from base.cases) as cases',
    );
    await client.query(END_ACCESS);
    say('All sessions, links and known browsers were revoked: everyone signs in again');
    say(`It holds ${rows[0]?.cases} cases and ${rows[0]?.users} people`);
  } finally {
    await client.end();
    await database.stop();
  }
}

await runCommand(async (args) => {
  const { backup, replaces } = readArguments(args);
  const { databaseUrl, dataDir: wanted, backupKey } = readConfig(process.env);
  if (databaseUrl)
    throw new CommandError(
      'The database of DATABASE_URL is restored where it is managed, by its own means; npm run restore is for the embedded one',
    );
  // npm runs scripts in the checkout, wherever it was called.
  const place = path.resolve(process.env['INIT_CWD'] ?? '.', backup);
  const passphrase = await readPassphrase(backupKey);
  const aside = await restoreBackup({ backup: place, passphrase, wanted, replaces });
  say(`The backup is restored into ${wanted}`);
  if (aside) say(`The previous data is in ${aside}: remove it when you do not need it`);
});

function readArguments(args: string[]): { backup: string; replaces: boolean } {
  const usage = 'npm run restore takes a backup: npm run restore -- <directory> [--replace]';
  try {
    const options = { replace: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [backup, ...rest] = positionals;
    if (backup && rest.length === 0) return { backup, replaces: values.replace ?? false };
  } catch (error) {
    throw new CommandError(usage, { cause: error });
  }
  throw new CommandError(usage);
}
