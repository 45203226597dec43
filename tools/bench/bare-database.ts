import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openDatabase } from '@matterdesk/server/db/connect.ts';
import { StatementNames } from '@matterdesk/server/db/connection.ts';
import { findRunningPostgres } from '@matterdesk/server/db/embedded/connections.ts';
import type { Database, Scoped } from '@matterdesk/server/db/schema.ts';
import { SYSTEM } from '@matterdesk/server/db/scoped-query.ts';

/** Same pool size as the product. */
export const CONNECTIONS = 10;

export type Statement = { text: string; values: unknown[] };
/** Stands in the values of a transaction for the id that its first statement returns. */
export const FIRST_ID = 'id-of-the-first-row';
type SentQuery = { sql: string; parameters: readonly unknown[] };

/** The product's database through a plain `pg` pool, without the product. */
export class BareDatabase {
  readonly #pool: pg.Pool;
  readonly #whole: Database;
  readonly #db: Scoped;
  // Prepares what the product prepares: a search is planned for its own term.
  readonly #names = new StatementNames();
  #seen: Statement[] = [];

  constructor(dataDir: string) {
    const found = findRunningPostgres(path.join(dataDir, 'postgres'));
    if (!found) throw new Error('The database of the server is not to be found');
    const options = `-c matterdesk.actor=${SYSTEM}`;
    this.#pool = new pg.Pool({
      ...found.connection,
      max: CONNECTIONS,
      pipeline: true,
      options,
    });
    const onStatement = ({ sql, parameters }: SentQuery) =>
      this.#seen.push({ text: sql, values: [...parameters] });
    this.#whole = openDatabase(this.#pool, { onStatement });
    this.#db = this.#whole.asSystem('the bench reads every matter');
  }

  /** Statements that the product's stores send for `work`, without those of a transaction around it. */
  async capture(work: (db: Scoped) => Promise<unknown>): Promise<Statement[]> {
    this.#seen = [];
    await work(this.#db);
    return this.#seen.filter(({ text }) => !/^(begin|commit)/.test(text));
  }

  /** The same of the product's services. */
  async captureServices(work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
    return this.capture(() => work(this.#whole));
  }

  /** Sends them in sequence on one connection, several writes as one transaction. */
  async send({ statements, isWrite }: { statements: Statement[]; isWrite: boolean }) {
    const client = await this.#pool.connect();
    try {
      if (isWrite) await client.query('begin');
      let firstId: string | undefined;
      for (const { text, values } of statements) {
        const filled = values.map((value) =>
          typeof value === 'string' ? value.replaceAll(FIRST_ID, firstId ?? FIRST_ID) : value,
        );
        const { rows } = await client.query<{ id?: string }>({
          ...this.#names.of(text, values.length),
          values: filled,
        });
        firstId ??= rows[0]?.id;
      }
      if (isWrite) await client.query('commit');
    } finally {
      client.release();
    }
  }

  /** Does what the product's stores offer. */
  async work<Result>(work: (db: Scoped) => Promise<Result>): Promise<Result> {
    return work(this.#db);
  }

  async read<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Starts a bare node:http server in its own process. */
export async function startBareNode(): Promise<{ port: number; stop: () => Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, 'bare-server.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the bare server has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    port: Number(line),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
