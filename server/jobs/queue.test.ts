import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool, type Pool } from '../db/connect.ts';
import { createLog } from '../log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { Queue } from './queue.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The queue of another process. */
async function startQueue({ isAlone = false } = {}): Promise<Queue> {
  const queue = new Queue(pool, { log: createLog('silent'), isAlone });
  await queue.start();
  return queue;
}

test('the queue runs a round when a process starts, and then after every interval', async () => {
  const queue = await startQueue();
  const rounds: boolean[] = [];
  const run = async ({ isFirst }: { isFirst: boolean }) => {
    rounds.push(isFirst);
    if (rounds.length === 1) throw new Error('the first round fails');
  };
  await queue.repeat({ name: 'again', every: 0.1, run });
  await eventually(() => expect(rounds.slice(0, 3)).toEqual([true, false, false]));
  await queue.stop();
});

test('the queue runs a round in one of several processes at a time', async () => {
  let [active, most, rounds] = [0, 0, 0];
  const queues = await Promise.all([startQueue(), startQueue(), startQueue()]);
  for (const queue of queues)
    await queue.repeat({
      name: 'alone',
      every: 0.1,
      async run() {
        active += 1;
        most = Math.max(most, active);
        await pause(400);
        active -= 1;
        rounds += 1;
      },
    });
  await eventually(() => expect(rounds).toBeGreaterThan(5));
  expect(most).toBe(1);
  await Promise.all(queues.map((queue) => queue.stop()));
});

test('the queue repeats at once the round that was interrupted by a kill of the only process', async () => {
  const killed = await startQueue({ isAlone: true });
  const begun = Promise.withResolvers<void>();
  const never = new Promise<void>(() => undefined);
  const hang = () => {
    begun.resolve();
    return never;
  };
  await killed.repeat({ name: 'cut-off', every: 3600, run: hang });
  await begun.promise;
  const next = await startQueue({ isAlone: true });
  const again = Promise.withResolvers<boolean>();
  const run = async ({ isFirst }: { isFirst: boolean }) => again.resolve(isFirst);
  await next.repeat({ name: 'cut-off', every: 3600, run });
  expect(await again.promise).toBe(true);
  await Promise.all([killed, next].map((queue) => queue.stop()));
});

test('hands a round over to another process when its process ends', async () => {
  const [ending, other] = await Promise.all([startQueue(), startQueue()]);
  const begun = Promise.withResolvers<void>();
  const untilTheEnd = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      begun.resolve();
      signal.addEventListener('abort', () => resolve());
    });
  await ending.repeat({ name: 'handed-over', every: 3600, run: untilTheEnd });
  await begun.promise;
  const taken = Promise.withResolvers<string>();
  // Its own first round waits behind the active one.
  await other.repeat({ name: 'handed-over', every: 1, run: async () => taken.resolve('other') });
  await ending.stop();
  expect(await taken.promise).toBe('other');
  await other.stop();
});

test('a restart leaves a lasting round at its time, unless the schema is newer or a program made it due', async () => {
  const ran: boolean[] = [];
  const round = {
    name: 'lasting',
    every: 3600,
    isLongRunning: true,
    run: async ({ isFirst }: { isFirst: boolean }) => void ran.push(isFirst),
  };
  const waiting = async () => {
    const { rows } = await pool.query<{ n: number }>(
      "select count(*)::int as n from jobs.job where name = 'lasting' and state < 'active'",
    );
    return rows[0]?.n;
  };
  const restart = async (from?: Queue) => {
    await from?.stop();
    const queue = await startQueue({ isAlone: true });
    await queue.repeat(round);
    return queue;
  };
  let queue = await restart();
  await eventually(() => expect(ran).toEqual([true]));
  await eventually(async () => expect(await waiting()).toBe(1));
  queue = await restart(queue);
  expect(await waiting()).toBe(1);
  await pool.query("update jobs.job set start_after = now() where name = 'lasting'");
  queue = await restart(queue);
  await eventually(() => expect(ran).toEqual([true, false]));
  await eventually(async () => expect(await waiting()).toBe(1));
  await pool.query(
    `update jobs.job set data = data || '{"schema": "0001"}' where name = 'lasting'`,
  );
  queue = await restart(queue);
  await eventually(() => expect(ran).toEqual([true, false, true]));
  await queue.stop();
});
