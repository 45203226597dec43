// Settings that the product depends on, in every database like in the embedded one.

import { sql } from 'kysely';
import type { Transaction } from './schema.ts';

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

type Missing = { name: keyof typeof SETTINGS; role: string; database: string };

/** Settings that new connections of this role lack; required before a transaction sets any for itself. */
export async function listMissing(trx: Transaction): Promise<Missing[]> {
  const [names, values] = [Object.keys(SETTINGS), Object.values(SETTINGS)];
  const { rows } = await sql<Missing>`
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
export async function applySettings(trx: Transaction, missing: Missing[]): Promise<string[]> {
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
