import { createHash, randomBytes } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Transaction } from './schema.ts';
import { queryAs, scopeOf } from './scoped-query.ts';

/** A statement is prepared from this use on, so that texts that occur once or twice cost no memory. */
const MIN_USES = 3;
/** Prepared texts per process: every connection and the server keep each of them. */
const MAX_NAMED = 300;
/** Texts whose uses are counted before the counting starts over. */
const MAX_COUNTED = 2000;
/** Statements with more parameters are lists of varying length, such as rows to insert. */
const MAX_PARAMETERS = 64;
/** A search needs a plan for its own term: a plan for any term treats rare and common ones alike. */
const PLANNED_BY_VALUE = /\bi?like\b|@@|<->|<=>/i;
/** Without parameters, a text may hold several statements, which cannot be prepared: this is one that reads. */
const SINGLE_READ = /^\s*(?:select|with)\b[^;]*$/i;

/** A statement as sent; unnamed, it is parsed and planned for its values each time. */
type NamedStatement = { text: string; name?: string };

/** Chooses which statements are prepared, and names them by their text. */
export class StatementNames {
  readonly #named = new Map<string, NamedStatement>();
  readonly #uses = new Map<string, number>();
  #schema = '';

  /** @param parameters how many the text has */
  of(text: string, parameters: number): NamedStatement {
    return this.#named.get(text) ?? this.#consider(text, parameters);
  }

  /**
   * Names every statement anew because its prepared form no longer fits the schema. The texts differ too: a connection
   * pooler shares the prepared form of equal texts.
   */
  startOver(outdated: string): void {
    // The first connection to notice starts over for all.
    if (!this.#named.delete(outdated)) return;
    this.#named.clear();
    this.#schema = ` /* ${randomBytes(4).toString('hex')} */`;
  }

  #consider(text: string, parameters: number): NamedStatement {
    if (parameters === 0 && !SINGLE_READ.test(text)) return { text };
    if (parameters > MAX_PARAMETERS) return { text };
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses >= MIN_USES && this.#named.size < MAX_NAMED && !PLANNED_BY_VALUE.test(text))
      return this.#name(text);
    if (this.#uses.size >= MAX_COUNTED) this.#uses.clear();
    this.#uses.set(text, uses);
    return { text };
  }

  #name(text: string): NamedStatement {
    const marked = text + this.#schema;
    // PostgreSQL keeps 63 bytes of a name.
    const name = createHash('sha256').update(marked).digest('base64url').slice(0, 22);
    const sent = { name, text: marked };
    this.#named.set(text, sent);
    return sent;
  }
}

const OPENING = /^(?:begin|start transaction)\b/;
const COUNTED = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];
const NOT_IN_TRANSACTION = 'I';
/**
 * Statements that wait for the next one at most, and UTF-16 units of their values. Sending more waits for the replies,
 * so that a transaction of thousands of rows leaves other requests their turn, and its memory is bounded.
 */
const MAX_WAITING = 50;
const MAX_WAITING_UNITS = 100_000;

/** Statements whose results no one reads. */
const unread = new WeakSet<CompiledQuery>();

/**
 * Sends a statement together with the transaction's next one, at the latest its commit, which saves a round trip; or
 * at once, where many wait already. An earlier one's error is thrown there.
 */
export async function sendLater(trx: Transaction, query: CompiledQuery): Promise<void> {
  unread.add(query);
  await trx.executeQuery(query);
}

/** True when a prepared statement no longer fits the schema: nothing was executed, and a retry prepares it again. */
export function isOutdated(error: unknown): boolean {
  // Not the message, which the server may translate.
  return (error as { routine?: unknown } | null)?.routine === 'RevalidateCachedQuery';
}

type ConnectionOptions = {
  /** Without them, no statement is prepared. */
  names?: StatementNames | undefined;
  /** The user who reads and writes; without one, matters are out of reach. */
  actorId?: string | undefined;
};

/** A connection of the pool, while it is in use. */
class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames | undefined;
  readonly #actorId: string | undefined;
  #waiting: CompiledQuery[] = [];
  #waitingUnits = 0;
  #isInTransaction = false;
  #isBroken = false;

  constructor(client: pg.PoolClient, { names, actorId }: ConnectionOptions) {
    this.#client = client;
    this.#names = names;
    this.#actorId = actorId;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Nothing waits for the begin of a transaction either.
    const isOpening = OPENING.test(query.sql);
    const batch = this.#waiting.concat(query);
    this.#waitingUnits += unitsOf(query);
    const isFull = batch.length >= MAX_WAITING || this.#waitingUnits >= MAX_WAITING_UNITS;
    const isLater = isOpening || (unread.has(query) && !isFull);
    if (isOpening) {
      this.#isInTransaction = true;
      if (this.#actorId !== undefined) batch.push(scopeOf(this.#actorId));
    }
    if (isLater) {
      this.#waiting = batch;
      return { rows: [] };
    }
    this.#dropWaiting();
    return this.#sendOrRetry(batch);
  }

  #dropWaiting(): void {
    this.#waiting = [];
    this.#waitingUnits = 0;
  }

  async #sendOrRetry<Row>(batch: CompiledQuery[]): Promise<QueryResult<Row>> {
    const isWhole = this.#client.getTransactionStatus() === NOT_IN_TRANSACTION;
    try {
      return await this.#send(batch);
    } catch (error) {
      if (!isWhole || !isOutdated(error)) throw error;
      if (batch.length > 1) await this.#client.query('rollback');
      return this.#send(batch);
    }
  }

  /** Sends all in one packet. @returns the last one's result @throws the first error */
  async #send<Row>(batch: CompiledQuery[]): Promise<QueryResult<Row>> {
    const { stream } = this.#client.connection;
    stream.cork();
    const replies = Promise.allSettled(batch.map((query) => this.#query(query)));
    stream.uncork();
    const settled = await replies;
    for (const reply of settled) if (reply.status === 'rejected') throw reply.reason;
    const last = settled.at(-1);
    if (last?.status !== 'fulfilled') throw new Error('nothing was sent');
    return toResult<Row>(last.value);
  }

  async #query({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    const sent = this.#names?.of(sql, parameters.length) ?? { text: sql };
    try {
      const config = { ...sent, values: parameters as unknown[] };
      if (this.#actorId === undefined || this.#isInTransaction)
        return await this.#client.query(config);
      return await queryAs(this.#client, this.#actorId, config);
    } catch (error) {
      if (isOutdated(error)) this.#names?.startOver(sql);
      throw error;
    }
  }

  async rollback(): Promise<void> {
    this.#dropWaiting();
    if (this.#client.getTransactionStatus() === NOT_IN_TRANSACTION) return;
    try {
      await this.#client.query('rollback');
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  streamQuery(): never {
    throw new Error('Read in pages instead of through a cursor');
  }
}

function unitsOf({ parameters }: CompiledQuery): number {
  return parameters.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

function toResult<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  // Kysely recognizes by it a commit that the database answered by rolling back.
  if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command } as Row] };
  if (!COUNTED.includes(command)) return { rows: rows as Row[] };
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
}

function own(connection: DatabaseConnection): Connection {
  if (connection instanceof Connection) return connection;
  throw new Error('not a connection of this driver');
}

class PipeliningDriver extends PostgresDriver {
  readonly #pool: pg.Pool;
  readonly #manner: ConnectionOptions;

  constructor(pool: pg.Pool, manner: ConnectionOptions) {
    super({ pool });
    this.#pool = pool;
    this.#manner = manner;
  }

  override async acquireConnection(): Promise<Connection> {
    return new Connection(await this.#pool.connect(), this.#manner);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }
}

/**
 * Leaves the lock to migrate.ts: Kysely's belongs to a session, and behind a pooler in transaction mode it is released in
 * another one, so that the next release waits for it in vain.
 */
class UnlockedAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

/** PostgreSQL for Kysely, with prepared statements and fewer round trips. The pool's clients must pipeline. */
export class PipeliningDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #manner: ConnectionOptions;

  constructor(pool: pg.Pool, manner: ConnectionOptions) {
    super({ pool });
    this.#pool = pool;
    this.#manner = manner;
  }

  override createDriver(): PostgresDriver {
    return new PipeliningDriver(this.#pool, this.#manner);
  }

  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}
