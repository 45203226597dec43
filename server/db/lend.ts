import type pg from 'pg';

export type Loan = {
  /** What the borrower needs of a pool. */
  pool: pg.Pool;
  /** Fulfilled when every query of the borrower so far is done. */
  caughtUp: () => Promise<void>;
  /** Ends the loan, also of a connection that is only just being made. */
  takeBack: () => void;
};

/**
 * A pool for a borrower that keeps a connection for itself, listens with it, and does not always give it
 * back: what breaks is dropped, else it would hold its place in the pool for ever. Queries go one after
 * the other, so that notifications keep their order and thousands of them take one connection, not all.
 * @param channel what the kept connection listens to
 * @param onListening told each time it has begun to: what was notified before has been missed
 */
export function lendPool(
  pool: pg.Pool,
  { channel, onListening }: { channel: string; onListening: () => void },
): Loan {
  const lent = new Set<pg.PoolClient>();
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  pool.on('release', (_error, client) => void lent.delete(client));

  async function connect(): Promise<pg.PoolClient> {
    // A refusal would make the borrower try again, for ever.
    if (isOver) return never();
    const client = await pool.connect();
    if (isOver) {
      client.release();
      return never();
    }
    lent.add(client);
    client.once('end', () => {
      if (lent.has(client)) client.release(true);
    });
    await client.query(`listen "${channel}"`).catch((error: unknown) => {
      if (!isOver) throw error;
    });
    if (isOver) return never();
    onListening();
    return client;
  }

  function query(text: string, values?: unknown[]) {
    const mine = last.then(() => pool.query(text, values));
    last = mine.catch(() => undefined);
    return mine;
  }

  return {
    pool: { connect, query } as unknown as pg.Pool,
    caughtUp: () => last.then(() => undefined),
    takeBack() {
      isOver = true;
      for (const client of lent) client.release(true);
    },
  };
}

function never() {
  return new Promise<never>(() => undefined);
}
