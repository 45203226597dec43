import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { readPassphrase } from './backup-key.ts';
import { CommandError, runCommand, say } from './command.ts';
import { restoreBackup } from './restore-backup.ts';

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
  const aside = await restoreBackup({ backup: place, passphrase, wanted, replaces }, say);
  say(`The backup is restored into ${wanted}`);
  if (aside) say(`What was there before lies in ${aside}: remove it when you do not need it`);
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
