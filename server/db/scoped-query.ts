import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Transaction } from './schema.ts';

/** Names the person of a transaction; the views of matters show what that person may see. */
const SCOPE = "select set_config('matterdesk.actor', $1, true)";
const NAME = 'scope';

/** The server itself, which sees everything. */
export const SYSTEM = '00000000-0000-0000-0000-000000000000';

/** Begins the scope of an open transaction. */
export function scopeOf(actorId: string): CompiledQuery {
  return CompiledQuery.raw(SCOPE, [actorId]);
}

/** From here on the transaction sees everything, such as a matter that its own change hides. @param _why as for `asSystem` */
export async function liftScope(trx: Transaction, _why: string): Promise<void> {
  await trx.executeQuery(scopeOf(SYSTEM));
}

/** The driver's own methods of a connection, absent from its types. */
type Wire = {
  parse: (message: { text: string; name?: string }) => void;
  bind: (message: { statement?: string; values: string[] }) => void;
  execute: (message: object) => void;
};
type DriverQueryMethods = {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
};
type QueryCallback = (error: Error | undefined, result: pg.QueryResult) => void;
const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig & { queryMode: 'extended' },
  done: QueryCallback,
) => DriverQueryMethods & pg.Submittable;

/**
 * A statement outside of a transaction with its scope before it, in one packet and up to one Sync: PostgreSQL makes
 * both one transaction (protocol-flow, extended query), so that the scope ends with the statement, and a pooler that
 * shares connections by the transaction keeps them together.
 */
class ScopedQuery extends DriverQuery {
  readonly #actorId: string;
  readonly #isPrepared: boolean;
  #isScoped = false;

  constructor(
    config: pg.QueryConfig,
    scope: { actorId: string; isPrepared: boolean },
    done: QueryCallback,
  ) {
    super({ ...config, queryMode: 'extended' }, done);
    this.#actorId = scope.actorId;
    this.#isPrepared = scope.isPrepared;
  }

  override prepare(wire: Wire): void {
    if (!this.#isPrepared) wire.parse({ text: SCOPE });
    wire.bind({ ...(this.#isPrepared && { statement: NAME }), values: [this.#actorId] });
    wire.execute({});
    super.prepare(wire);
  }

  // The first row and the first completion are the scope's.
  override handleDataRow(message: unknown): void {
    if (this.#isScoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isScoped) super.handleCommandComplete(message, wire);
    this.#isScoped = true;
  }
}

const prepared = new WeakSet<pg.PoolClient>();

/** Sends a statement that sees what this person may see. */
export function queryAs(
  client: pg.PoolClient,
  actorId: string,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const isPrepared = config.name !== undefined;
  if (isPrepared && !prepared.has(client)) {
    prepared.add(client);
    // In order with what follows: if it fails, that fails too, and says why.
    client.query({ name: NAME, text: SCOPE, values: [''] }).catch(() => prepared.delete(client));
  }
  return new Promise((resolve, reject) => {
    const done: QueryCallback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(new ScopedQuery(config, { actorId, isPrepared }, done));
  });
}
