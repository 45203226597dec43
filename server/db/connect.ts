import { Kysely, sql, type CompiledQuery, type LogEvent } from 'kysely';
import pg from 'pg';
import { isOutdated, PipeliningDialect, StatementNames } from './connection.ts';
import type { Database, Executor, Scoped, Tables, Transaction } from './schema.ts';
import { SYSTEM } from './scoped-query.ts';
import { readTextArray } from './text-arrays.ts';

const DATE = 1082;
const BIGINT = 20;
/** Object ids of the array types of text and of uuid. */
const TEXT_ARRAY_OIDS = [1009, 2951];

// A day has no time zone: a JavaScript Date would shift it with the server's zone.
pg.types.setTypeParser(DATE, (text) => text);
// Serial numbers stay text; queries cast their counts.
pg.types.setTypeParser(BIGINT, (text) => text);
for (const type of TEXT_ARRAY_OIDS) {
  const otherwise = pg.types.getTypeParser(type) as (written: string) => (string | null)[];
  pg.types.setTypeParser(type, (written) => readTextArray(written, otherwise));
}

export type Connection = pg.PoolConfig;
export type Pool = pg.Pool;

const CONNECTIONS = 10;
/** Milliseconds: a month. The driver sends no 0, so that a limit of the role would hold. */
export const UNLIMITED = 2_147_483_647;
/** People whose scopes are kept. */
const MAX_SCOPES = 1000;

/** Connections that so many processes need of their own database, with some left for a backup and a shell. */
export function connectionsFor(processes: number): number {
  return Math.max(60, (CONNECTIONS + 1) * processes + 16);
}

/** A pool that survives restarts of the database by replacing broken connections. */
export function openPool(connection: Connection, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // A connection that listens sends nothing, and would not notice that its peer's machine was lost.
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 30_000,
    // A machine that is lost in a transaction keeps its locks until then; others wait longer than that for a lock.
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'matterdesk',
    pipeline: true,
    ...connection,
  });
  // Without these listeners, a restart of the database would crash the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

type DatabaseOptions = {
  /** False for a pooler that does not carry prepared statements from one connection to another. */
  isPrepared?: boolean;
  /** Called after each statement. */
  onStatement?: (statement: CompiledQuery) => void;
};

/** Statements through it are prepared; the pool's own `query` prepares nothing. */
export function openDatabase(
  pool: pg.Pool,
  { isPrepared = true, onStatement }: DatabaseOptions = {},
): Database {
  const names = isPrepared ? new StatementNames() : undefined;
  const open = (actorId?: string) => {
    const dialect = new PipeliningDialect(pool, { names, actorId });
    const log = onStatement && (({ query }: LogEvent) => onStatement(query));
    return new Kysely<Tables>(log ? { dialect, log } : { dialect });
  };
  // Only here does a database get its scope.
  const system = open(SYSTEM) as Scoped;
  const scopes = new Map<string, Scoped>();
  return Object.assign(open(), {
    as(person: { id: string }): Scoped {
      const known = scopes.get(person.id);
      if (known) return known;
      // Active users get a new scope with their next request.
      if (scopes.size === MAX_SCOPES) scopes.clear();
      const scope = open(person.id) as Scoped;
      scopes.set(person.id, scope);
      return scope;
    },
    asSystem: () => system,
  });
}

/** Attempts at a transaction that meets a schema change or a deadlock. */
const MAX_ATTEMPTS = 3;

/**
 * Runs `work` in a transaction of the database's scope, and again if another process changes the schema meanwhile, or
 * if it and another waited for each other; its only effects are statements.
 */
export async function transact<T>(
  db: Executor,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1)
    try {
      return await db.transaction().execute((trx) => work(trx as Transaction));
    } catch (error) {
      if (left === 0 || (!isOutdated(error) && !isDeadlock(error))) throw error;
    }
}

/** PostgreSQL ended one of transactions that waited for each other. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '40P01';
}

/** @throws when the database does not respond */
export async function ping(db: Executor): Promise<void> {
  await sql`select 1`.execute(db);
}

/** True when a screened user was given work on the matter; the message names the user. */
export function isScreenedAssignment(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === 'MDSCR';
}

export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: name } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && name === constraint;
}
