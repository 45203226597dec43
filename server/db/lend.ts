import type pg from 'pg';

/**
 * A pool for a borrower that keeps a connection for itself and does not always give it back. What breaks
 * is dropped, else it would hold its place in the pool for ever; `takeBack` ends the loan, also of a
 * connection that is only just being made.
 */
export function lendPool(pool: pg.Pool): { pool: pg.Pool; takeBack: () => void } {
  const lent = new Set<pg.PoolClient>();
  let isOver = false;
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
    return client;
  }

  return {
    // The two that the borrower uses.
    pool: { connect, query: pool.query.bind(pool) } as unknown as pg.Pool,
    takeBack() {
      isOver = true;
      for (const client of lent) client.release(true);
    },
  };
}

function never() {
  return new Promise<never>(() => undefined);
}
