import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { openDatabase, openPool, UNLIMITED } from '../db/connect.ts';
import { sealedTable } from '../db/sealed-tables.ts';
import type { Misfit } from '../features/audit/seals/rules.ts';
import { checkChain } from '../features/audit/seals/service.ts';
import { CommandError, runCommand, say } from './command.ts';
import { findData, reachDatabase } from './reach-database.ts';

const USAGE = 'npm run verify takes nothing, or a seal: npm run verify -- --since <seal>';

await runCommand(async (args) => {
  const since = readSince(args);
  const { databaseUrl, dataDir } = readConfig(process.env);
  const { connection, release } = databaseUrl
    ? { connection: { connectionString: databaseUrl }, release: () => Promise.resolve() }
    : await reachDatabase(await findData(dataDir, 'verify'));
  const pool = openPool({ ...connection, statement_timeout: UNLIMITED }, () => undefined);
  try {
    const { broken, lastSeal, erased, hasSeen } = await checkChain(openDatabase(pool), since);
    if (broken)
      throw new CommandError(`The record is broken: ${entryIn(broken)} does not fit its seal`);
    if (!hasSeen)
      throw new CommandError(`The record is broken: seal ${since} is no longer part of it`);
    if (erased > 0) say(`Erased with their intakes, as recorded: ${erased} entries`);
    say(lastSeal ? `The record is whole. Last seal: ${lastSeal}` : 'Nothing is sealed yet');
  } finally {
    await pool.end();
    await release();
  }
});

/** `entry 7 of the history of deadlines` */
function entryIn({ source, id }: Misfit): string {
  const { called } = sealedTable(source);
  return called === null ? `entry ${id}` : `entry ${id} of ${called}`;
}

function readSince(args: string[]): string | undefined {
  try {
    const { since } = parseArgs({ args, options: { since: { type: 'string' } } }).values;
    if (since === undefined || /^[0-9a-f]{64}$/.test(since)) return since;
  } catch (error) {
    throw new CommandError(USAGE, { cause: error });
  }
  throw new CommandError(USAGE);
}
