import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from './schema.ts';

const DATE = 1082;
const BIGINT = 20;

// A day has no time zone: a JavaScript Date would shift it with the server's zone.
pg.types.setTypeParser(DATE, (text) => text);
// Serial numbers stay text; queries cast their counts.
pg.types.setTypeParser(BIGINT, (text) => text);

export type Connection = pg.PoolConfig;
export type Pool = pg.Pool;

/** A pool that survives restarts of the database by replacing broken connections. */
export function openPool(connection: Connection, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'matterdesk',
    ...connection,
  });
  // Without these listeners, a restart of the database would crash the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** @param onStatement called after each statement */
export function openDatabase(
  pool: pg.Pool,
  onStatement?: (statement: CompiledQuery) => void,
): Database {
  const dialect = new PostgresDialect({ pool });
  return new Kysely<Tables>(
    onStatement ? { dialect, log: ({ query }) => onStatement(query) } : { dialect },
  );
}

/** @throws when the database does not respond */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: name } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && name === constraint;
}
