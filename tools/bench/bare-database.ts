import path from 'node:path';
import pg from 'pg';
import { openDatabase } from '@matterdesk/server/db/connect.ts';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import type { Database } from '@matterdesk/server/db/schema.ts';

/** Same pool size as the product. */
const CONNECTIONS = 10;

export type Statement = { sql: string; parameters: readonly unknown[] };

/** The product's database through a plain `pg` pool, without the product. */
export class BareDatabase {
  readonly #pool: pg.Pool;
  readonly #db: Database;
  #seen: Statement[] = [];

  constructor(dataDir: string) {
    const found = findRunningPostgres(path.join(dataDir, 'postgres'));
    if (!found) throw new Error('The database of the server is not to be found');
    this.#pool = new pg.Pool({ ...found.connection, max: CONNECTIONS, pipeline: true });
    const onStatement = ({ sql, parameters }: Statement) => this.#seen.push({ sql, parameters });
    this.#db = openDatabase(this.#pool, { onStatement });
  }

  /** Statements that the product's store sends for `work`. */
  async capture(work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
    this.#seen = [];
    await work(this.#db);
    return this.#seen;
  }

  /** Sends them in sequence on one connection. */
  async send(statements: Statement[]): Promise<void> {
    const client = await this.#pool.connect();
    try {
      for (const { sql, parameters } of statements) await client.query(sql, [...parameters]);
    } finally {
      client.release();
    }
  }

  async read<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) {
    return (await this.#pool.query<Row>(sql, parameters)).rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
