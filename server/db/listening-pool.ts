import type pg from 'pg';

export type ListeningPool = {
  /** The part of a pool that the adapter uses. */
  pool: pg.Pool;
  /** Resolves when all queries so far are done. */
  drain: () => Promise<void>;
  /** Ends the listening connections, including those that are still opening. */
  close: () => void;
};

const NOTIFYING = /^select pg_notify\(\$1, \$2\)$/i;
const NOTIFY_ALL =
  'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n (channel, payload)';
const MAX_BATCH = 500;

/** Notifications that wait for their turn, as channels and payloads. */
type Batch = { columns: [unknown[], unknown[]]; sent: Promise<pg.QueryResult> };

type Options = {
  /** Opens the kept connection: a pooler between would give its session to other clients. */
  listening: pg.Pool;
  /** Listened to by the kept connection. */
  channel: string;
  /** Called whenever it starts listening: earlier notifications were missed. */
  onListening: () => void;
};

/**
 * A pool for an adapter that keeps a listening connection and does not always return it: broken connections are
 * released, because they would occupy their place in the pool forever. Queries run one at a time, so that notifications
 * keep their order and thousands of them use a single connection; those that wait are sent in one statement.
 */
export function listeningPool(pool: pg.Pool, options: Options): ListeningPool {
  const kept = new Set<pg.PoolClient>();
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let batch: Batch | undefined;
  options.listening.on('release', (_error, client) => void kept.delete(client));

  async function connect(): Promise<pg.PoolClient> {
    // An error would make the adapter retry forever.
    if (isClosed) return never();
    const client = await options.listening.connect();
    if (isClosed) {
      client.release();
      return never();
    }
    kept.add(client);
    client.once('end', () => {
      if (kept.has(client)) client.release(true);
    });
    await client.query(`listen "${options.channel}"`).catch((error: unknown) => {
      if (!isClosed) throw error;
    });
    if (isClosed) return never();
    options.onListening();
    return client;
  }

  function query(text: string, values: unknown[] = []) {
    if (!NOTIFYING.test(text)) return inTurn(() => pool.query(text, values));
    if (!batch || batch.columns[0].length >= MAX_BATCH) batch = open();
    for (const [index, column] of batch.columns.entries()) column.push(values[index]);
    return batch.sent;
  }

  function open(): Batch {
    const columns: Batch['columns'] = [[], []];
    const sent = inTurn(() => pool.query(NOTIFY_ALL, columns));
    return { columns, sent };
  }

  function inTurn(send: () => Promise<pg.QueryResult>) {
    const mine = last.then(() => {
      batch = undefined;
      return send();
    });
    // A later notification must not overtake this query.
    batch = undefined;
    last = mine.catch(() => undefined);
    return mine;
  }

  return {
    pool: { connect, query } as unknown as pg.Pool,
    drain: () => last.then(() => undefined),
    close() {
      isClosed = true;
      for (const client of kept) client.release(true);
    },
  };
}

function never() {
  return new Promise<never>(() => undefined);
}
