// The job queue and recurring jobs.

import { PgBoss } from 'pg-boss';
import { MINUTE_SECONDS, HOUR_SECONDS } from '../core/durations.ts';
import type { Pool } from '../db/connect.ts';
import { NEWEST } from '../db/migrate.ts';
import { statementsOf } from '../db/statements.ts';
import type { Unit } from '../db/unit-of-work.ts';
import type { Log } from '../log.ts';

/** Seconds between heartbeats of a job; a job without heartbeat is retried. */
const HEARTBEAT_SECONDS = 10;
/** Seconds between polls for new jobs; jobs added by this process start at once. */
const POLL_SECONDS = 5;
const MIN_POLL_SECONDS = 0.5;
/** Many, since restarts count as retries; workers count real failures themselves. */
const MAX_RETRIES = 1000;

export type Attempt = {
  /** The job's id. */
  job: string;
  /** Aborted when the job is lost to another process, or the process ends. */
  signal: AbortSignal;
  /** Number of previous attempts. */
  before: number;
};

export type QueueName =
  | 'train'
  | 'revoke'
  | 'watch'
  | 'mail'
  | 'notice'
  | 'clues'
  | 'pack'
  | 'import';
/** Bounds of the waits between retries, in seconds. */
const DELAYS: Record<QueueName, { retryDelay: number; retryDelayMax: number }> = {
  train: { retryDelay: 1, retryDelayMax: 60 },
  revoke: { retryDelay: 2, retryDelayMax: HOUR_SECONDS },
  watch: { retryDelay: 2, retryDelayMax: HOUR_SECONDS },
  mail: { retryDelay: 5, retryDelayMax: 10 * MINUTE_SECONDS },
  notice: { retryDelay: MINUTE_SECONDS, retryDelayMax: HOUR_SECONDS },
  clues: { retryDelay: 1, retryDelayMax: MINUTE_SECONDS },
  pack: { retryDelay: 1, retryDelayMax: MINUTE_SECONDS },
  import: { retryDelay: 1, retryDelayMax: MINUTE_SECONDS },
};
type Work = (key: string, attempt: Attempt) => Promise<void>;

export type JobRun = { signal: AbortSignal };

/** Repeated work. One process per database runs it at a time. */
export type RecurringJob = {
  name: string;
  /** Seconds between the end of a run and the next. */
  every: number;
  /** Whether a restart waits for the next due run instead of starting one at once; a newer schema always starts one. */
  isLongRunning?: boolean;
  run: (options: JobRun & { isFirst: boolean }) => Promise<void>;
};

type Options = {
  log: Log;
  /** True when no other process can be working, so active jobs were interrupted by a crash. */
  isAlone: boolean;
};

const durable = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 12 * HOUR_SECONDS,
  retryLimit: MAX_RETRIES,
  retryBackoff: true,
};

/** Durable jobs: each is a row, committed with the transaction that adds it. */
export class Queue {
  readonly #boss: PgBoss;
  readonly #workers: string[] = [];
  readonly #ending = new AbortController();
  readonly #log: Log;
  readonly #isAlone: boolean;
  /** Queues of earlier starts. */
  readonly #known = new Set<string>();
  #isStarted = false;

  constructor(pool: Pool, { log, isAlone }: Options) {
    this.#log = log;
    this.#isAlone = isAlone;
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: 'jobs',
      schedule: false,
      superviseIntervalSeconds: HEARTBEAT_SECONDS,
      monitorIntervalSeconds: HEARTBEAT_SECONDS,
      maintenanceIntervalSeconds: 10 * MINUTE_SECONDS,
      // No job depends on another, and the table stays small.
      flowIntervalSeconds: HOUR_SECONDS,
      bamIntervalSeconds: HOUR_SECONDS,
      reindex: false,
      monitorVacuum: false,
    });
    // Errors during shutdown only mean that a resource was already released.
    this.#boss.on('error', (error) => {
      if (!this.#ending.signal.aborted) log.warn({ err: error }, 'job queue');
    });
    this.#boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  }

  /** Creates the queue's tables. Required before any other method. */
  async start(): Promise<void> {
    await this.#boss.start();
    this.#isStarted = true;
    for (const { name } of await this.#boss.getQueues()) this.#known.add(name);
    for (const [name, delays] of Object.entries(DELAYS))
      await this.#enter(name, { ...delays, deleteAfterSeconds: HOUR_SECONDS });
    if (this.#isAlone)
      for (const name of ['train', 'clues', 'pack', 'import'] as const) await this.#takeBack(name);
  }

  /** Creates a queue unless an earlier start has: the lock for it, one queue after the other, is most of a start. */
  async #enter(name: string, options: Parameters<PgBoss['createQueue']>[1]): Promise<void> {
    if (!this.#known.has(name)) await this.#boss.createQueue(name, { ...durable, ...options });
  }

  /** The jobs commit with the unit's transaction, or not at all, and start at once. */
  async add(unit: Unit, name: QueueName, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const jobs = keys.map((key) => ({ data: { key } }));
    await this.#boss.insert(name, jobs, { db: statementsOf(unit.trx) });
    unit.afterCommit(() => this.#wake());
  }

  /** Starts added jobs instead of leaving them to the next poll. */
  #wake(): void {
    for (const worker of this.#workers) this.#boss.notifyWorker(worker);
  }

  /** Retries interrupted jobs without waiting for a missed heartbeat. */
  async #takeBack(name: QueueName): Promise<void> {
    const jobs = await this.#boss.findJobs(name);
    const left = jobs.filter((job) => job.state === 'active').map((job) => job.id);
    if (left.length > 0) await this.#boss.fail(name, left);
  }

  /** @param atOnce parallel jobs of this process */
  async work(name: QueueName, atOnce: number, work: Work): Promise<void> {
    for (let count = 0; count < atOnce; count += 1) {
      const options = { pollingIntervalSeconds: POLL_SECONDS };
      const id = await this.#boss.work<{ key: string }>(name, options, async ([job]) => {
        if (!job) return;
        const signal = AbortSignal.any([job.signal, this.#ending.signal]);
        await work(job.data.key, { job: job.id, signal, before: job.retryCount });
        this.#boss.notifyWorker(id);
      });
      this.#workers.push(id);
    }
  }

  /**
   * Runs each job now, and then after every interval; a failed one again after a minute at most. All are entered before
   * the first begins, whose work may take every connection.
   */
  async repeat(...jobs: RecurringJob[]): Promise<void> {
    for (const { name, isLongRunning = false } of jobs) {
      const deleteAfterSeconds = MINUTE_SECONDS;
      // At most one job waits and one is active.
      await this.#enter(name, { policy: 'stately', deleteAfterSeconds });
      if (!isLongRunning || !(await this.#isWaiting(name))) await this.#beginNow(name);
    }
    for (const job of jobs) await this.#workOn(job);
  }

  async #workOn({ name, every, run }: RecurringJob): Promise<void> {
    const pollingIntervalSeconds = Math.min(Math.max(every / 3, MIN_POLL_SECONDS), MINUTE_SECONDS);
    const options = { pollingIntervalSeconds };
    await this.#boss.work<{ isFirst: boolean }>(name, options, async ([job]) => {
      if (!job) return;
      const signal = AbortSignal.any([job.signal, this.#ending.signal]);
      const pause = await run({ signal, isFirst: job.data.isFirst }).then(
        () => every,
        (error: unknown) => {
          // Throws so that another process repeats an interrupted run.
          signal.throwIfAborted();
          this.#log.warn({ err: error, round: name }, 'round failed');
          return Math.min(every, MINUTE_SECONDS);
        },
      );
      signal.throwIfAborted();
      await this.#boss.send(name, { isFirst: false, schema: NEWEST }, { startAfter: pause });
    });
  }

  /** Whether a run waits that a process of this schema has left. */
  async #isWaiting(name: string): Promise<boolean> {
    const left = await this.#boss.findJobs(name, { queued: true, data: { schema: NEWEST } });
    return left.length > 0;
  }

  async #beginNow(name: string): Promise<void> {
    await (this.#isAlone ? this.#boss.deleteAllJobs(name) : this.#boss.deleteQueuedJobs(name));
    await this.#boss.send(name, { isFirst: true, schema: NEWEST });
  }

  /** Aborts running jobs; another process, or the next start, retries them. */
  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#ending.abort();
    await this.#boss.stop({ close: false, timeout: 1000 });
  }
}
