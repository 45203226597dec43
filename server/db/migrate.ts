import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as baseline from './migrations/0001-baseline.ts';
import * as solInEffect from './migrations/0002-sol-in-effect.ts';
import * as firstSteps from './migrations/0003-first-steps.ts';
import * as rankedSearch from './migrations/0004-ranked-search.ts';
import * as formerFileAddresses from './migrations/0005-former-file-addresses.ts';
import * as savedViews from './migrations/0006-saved-views.ts';
import * as fileVersions from './migrations/0007-file-versions.ts';
import * as notFiled from './migrations/0008-not-filed.ts';
import * as mailSignatures from './migrations/0009-mail-signatures.ts';
import * as nameCounts from './migrations/0010-name-counts.ts';
import * as namesOfUsers from './migrations/0011-names-of-users.ts';
import * as quickBigrams from './migrations/0012-quick-bigrams.ts';
import * as stream from './migrations/0013-stream.ts';
import * as madeOfEntries from './migrations/0014-made-of-entries.ts';
import * as tray from './migrations/0015-tray.ts';
import * as tasksOfFilings from './migrations/0016-tasks-of-filings.ts';
import * as clues from './migrations/0017-clues.ts';
import * as arrivals from './migrations/0018-arrivals.ts';
import * as streamPages from './migrations/0019-stream-pages.ts';
import * as answersOfEntries from './migrations/0020-answers-of-entries.ts';
import * as shortPendingLists from './migrations/0021-short-pending-lists.ts';
import * as letters from './migrations/0022-letters.ts';
import * as templates from './migrations/0023-templates.ts';
import * as packs from './migrations/0024-packs.ts';
import * as imports from './migrations/0025-imports.ts';
import * as copiesOfCases from './migrations/0026-copies-of-cases.ts';
import * as rareRows from './migrations/0027-rare-rows.ts';
import type { Database, Transaction } from './schema.ts';

const BASELINE = '0001-baseline';

const migrations: Record<string, Migration> = {
  [BASELINE]: baseline,
  '0002-sol-in-effect': solInEffect,
  '0003-first-steps': firstSteps,
  '0004-ranked-search': rankedSearch,
  '0005-former-file-addresses': formerFileAddresses,
  '0006-saved-views': savedViews,
  '0007-file-versions': fileVersions,
  '0008-not-filed': notFiled,
  '0009-mail-signatures': mailSignatures,
  '0010-name-counts': nameCounts,
  '0011-names-of-users': namesOfUsers,
  '0012-quick-bigrams': quickBigrams,
  '0013-stream': stream,
  '0014-made-of-entries': madeOfEntries,
  '0015-tray': tray,
  '0016-tasks-of-filings': tasksOfFilings,
  '0017-clues': clues,
  '0018-arrivals': arrivals,
  '0019-stream-pages': streamPages,
  '0020-answers-of-entries': answersOfEntries,
  '0021-short-pending-lists': shortPendingLists,
  '0022-letters': letters,
  '0023-templates': templates,
  '0024-packs': packs,
  '0025-imports': imports,
  '0026-copies-of-cases': copiesOfCases,
  '0027-rare-rows': rareRows,
};

/** The name of the last migration. */
export const NEWEST = Object.keys(migrations).at(-1) ?? BASELINE;

/** Kysely's own number, by which earlier releases lock too. */
const LOCK = 3_853_314_791_062_309_107n;

/**
 * Migrates the database to the newest schema, in one transaction; several processes may call it at once. What it waits
 * for, and the work itself, may take as long as they need.
 * @param say gets a line for each setting that the role may not choose
 * @returns the names of the migrations that ran
 */
export async function migrate(
  db: Database,
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const missing = await listMissing(trx as Transaction);
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx);
    const adopted = await adoptBaseline(trx as Transaction);
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error, results } = await new Migrator({ db: trx, provider }).migrateToLatest();
    if (error) throw error;
    // Last, since a time limit of the session would hold for the migrations.
    for (const statement of await applySettings(trx as Transaction, missing))
      say(`For best performance, have the database administrator run: ${statement}`);
    return [...adopted, ...(results ?? []).map((result) => result.migrationName)];
  });
}

/** Migrations before the first release, whose last one left the schema that the baseline builds. */
const BEFORE = { last: '0058-sealed-histories', count: 48, commit: '0f183df' };

/**
 * Records the baseline as done in a database that was brought up before it.
 * @returns its name, since an earlier version no longer starts on this database
 * @throws a sentence for one that lacks some of the earlier migrations
 */
async function adoptBaseline(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ is_migrated: boolean }>`
    select to_regclass('kysely_migration') is not null as is_migrated`.execute(trx);
  if (!rows[0]?.is_migrated) return [];
  const done = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(trx);
  const names = done.rows.map(({ name }) => name);
  if (names.length === 0 || names.includes(BASELINE)) return [];
  if (names.at(-1) !== BEFORE.last || names.length !== BEFORE.count)
    throw new Error(
      `The database was last used by a version before ${BEFORE.commit} (its last migration is ${names.at(-1)}): run git checkout ${BEFORE.commit}, start that version once, then return to this one`,
    );
  await sql`delete from kysely_migration`.execute(trx);
  await sql`
    insert into kysely_migration (name, timestamp)
    values (${BASELINE}, ${new Date().toISOString()})`.execute(trx);
  return [BASELINE];
}

// Settings that the product depends on, in every database like in the embedded one.

/** As PostgreSQL shows them. */
const SETTINGS = {
  // Compiling a look-up takes a hundred times as long as the look-up.
  jit: 'off',
  // Reads come from memory or from an SSD.
  random_page_cost: '1.1',
  TimeZone: 'UTC',
  // Asked for with each connection, too; a pooler drops that.
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '15000',
};
/** Kept where an administrator has chosen a value. */
const ONLY_DEFAULTS = ['random_page_cost'];
const NOT_PERMITTED = '42501';

type MissingSetting = { name: keyof typeof SETTINGS; role: string; database: string };

/** Settings that new connections of this role lack; required before a transaction sets any for itself. */
async function listMissing(trx: Transaction): Promise<MissingSetting[]> {
  const [names, values] = [Object.keys(SETTINGS), Object.values(SETTINGS)];
  const { rows } = await sql<MissingSetting>`
    select s.name, session_user role, current_database() database
    from pg_settings s join unnest(${names}::text[], ${values}::text[]) w (name, value) using (name)
    where s.setting <> w.value and s.source <> 'client'
      and (s.source = 'default' or s.name <> all(${ONLY_DEFAULTS}::text[]))`.execute(trx);
  return rows;
}

/**
 * Sets them for the role in this database, so that they hold behind a pooler, too, and for this session, which began
 * before.
 * @returns what an administrator has to run, where the role may not
 */
async function applySettings(trx: Transaction, missing: MissingSetting[]): Promise<string[]> {
  const refused: string[] = [];
  for (const { name, role, database } of missing) {
    const place = sql`${sql.id(role)} in database ${sql.id(database)}`;
    const statement = sql`alter role ${place} set ${sql.id(name)} = ${sql.lit(SETTINGS[name])}`;
    await sql`savepoint settings`.execute(trx);
    try {
      await statement.execute(trx);
      await sql`select set_config(${name}, ${SETTINGS[name]}, false)`.execute(trx);
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_PERMITTED) throw error;
      await sql`rollback to savepoint settings`.execute(trx);
      refused.push(statement.compile(trx).sql);
    }
  }
  return refused;
}
