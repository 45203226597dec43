import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from './schema.ts';

const DATE = 1082;
const BIGINT = 20;

// A day has no zone: as a JavaScript Date it would move with the server's.
pg.types.setTypeParser(DATE, (text) => text);
// Serial numbers stay text; counts are cast in their queries.
pg.types.setTypeParser(BIGINT, (text) => text);

export type Connection = pg.PoolConfig;
export type Pool = pg.Pool;

/** A pool that outlives restarts of the database: broken connections are dropped and made anew. */
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
  // Without these listeners a restart of the database would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** @param onStatement told of each statement when it is done */
export function openDatabase(
  pool: pg.Pool,
  onStatement?: (statement: CompiledQuery) => void,
): Database {
  const dialect = new PostgresDialect({ pool });
  return new Kysely<Tables>(
    onStatement ? { dialect, log: ({ query }) => onStatement(query) } : { dialect },
  );
}

/** @throws when the database does not answer */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

/** True when a unique index refused a row. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: name } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && name === constraint;
}
