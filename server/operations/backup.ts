import path from 'node:path';
import { readConfig } from '../config.ts';
import { readPassphrase } from './backup-key.ts';
import { CommandError, runCommand, say } from './command.ts';
import { takeBackup } from './take-backup.ts';

await runCommand(async (args) => {
  const [target, ...rest] = args;
  if (!target || target.startsWith('-') || rest.length > 0)
    throw new CommandError('npm run backup takes one new directory: npm run backup -- <directory>');
  const { databaseUrl, dataDir, s3, backupKey } = readConfig(process.env);
  if (databaseUrl)
    throw new CommandError(
      'The database of DATABASE_URL is backed up where it is managed, by its own means; npm run backup is for the embedded one',
    );
  // npm runs scripts in the checkout, wherever it was called.
  const place = path.resolve(process.env['INIT_CWD'] ?? '.', target);
  const passphrase = await readPassphrase(backupKey);
  await takeBackup({ wanted: dataDir, place, passphrase }, say);
  if (s3) say('Files in S3 are not part of it');
  say(`The backup is in ${place}`);
  if (passphrase === undefined)
    say('It is readable for anyone who gets hold of it: BACKUP_KEY encrypts backups');
});
