import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Log } from '../log.ts';
import type { PrimaryMessage, WorkerMessage, ProcessSlot, WorkerShare } from './worker.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** A process that served so long is replaced without a longer pause. */
const STEADY_MS = 60_000;
/** Milliseconds for a process to finish its requests before it is killed. */
const STOP_TIMEOUT_MS = 4000;

/** A worker has printed the reason itself. */
export class WorkerFailed extends Error {}

type Options = { count: number; share: WorkerShare; log: Log };

/** Processes that serve one port together; one that ends is replaced. */
export class Workers {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #metrics = new AggregatorRegistry();
  readonly #running = new Set<Worker>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Resolves when all of them serve.
   * @throws WorkerFailed when one ends instead
   */
  async start(): Promise<void> {
    // The first clears what a crash left, before the others can be at work.
    await this.#begin({ number: 1, isFirst: true });
    const others = Array.from({ length: this.#options.count - 1 }, (_, index) => index + 2);
    await Promise.all(others.map((number) => this.#begin({ number, isFirst: false })));
  }

  /** From now on their `/readyz` refuses. */
  drain(): void {
    for (const worker of this.#running)
      if (worker.isConnected()) worker.send({ type: 'drain' } satisfies PrimaryMessage);
  }

  /** Lets them finish their requests, and kills what is left after four seconds. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const left = [...this.#running];
    const ended = left.map((worker) => once(worker, 'exit'));
    for (const worker of left) worker.process.kill('SIGTERM');
    const timer = setTimeout(() => {
      for (const worker of this.#running) worker.process.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    await Promise.all(ended);
    clearTimeout(timer);
  }

  async #begin(slot: ProcessSlot, pause = FIRST_PAUSE_MS): Promise<void> {
    const since = Date.now();
    const worker = cluster.fork();
    this.#running.add(worker);
    closeUntaken(worker);
    const ended = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    void ended.then(() => this.#running.delete(worker));
    const ready = this.#serveOrders(worker, slot);
    const isReady = await Promise.race([ready.then(() => true), ended.then(() => false)]);
    if (!isReady) throw new WorkerFailed(`Process ${slot.number} ended instead of serving`);
    void ended.then(([code, signal]) => {
      const isSteady = Date.now() - since > STEADY_MS;
      const next = isSteady ? FIRST_PAUSE_MS : pause;
      this.#options.log.warn({ process: slot.number, code, signal }, 'process ended');
      return this.#replace({ number: slot.number, isFirst: false }, next);
    });
  }

  /** Resolves when the worker serves. */
  #serveOrders(worker: Worker, slot: ProcessSlot): Promise<void> {
    const send = (order: PrimaryMessage) => {
      if (worker.isConnected()) worker.send(order);
    };
    return new Promise((resolve) => {
      worker.on('message', (report: WorkerMessage) => {
        if (report.type === 'begun') send({ type: 'begin', share: this.#options.share, slot });
        if (report.type === 'ready') resolve();
        if (report.type === 'metrics')
          void this.#metrics.clusterMetrics().then(
            (text) => send({ type: 'metrics', ask: report.ask, text }),
            () => send({ type: 'metrics', ask: report.ask, text: undefined }),
          );
      });
    });
  }

  async #replace(slot: ProcessSlot, pause: number): Promise<void> {
    const longer = Math.min(pause * 2, MAX_PAUSE_MS);
    try {
      await delay(pause, undefined, { signal: this.#stopping.signal });
      await this.#begin(slot, longer);
    } catch {
      if (!this.#stopping.signal.aborted) await this.#replace(slot, longer);
    }
  }
}

/** A connection as the system knows it. */
type Handle = { fd: number; close: () => void };

/**
 * Closes connections that were handed to a process which died before it took them, so that their clients learn of it
 * and ask again. Node's cluster keeps them open until an answer that never comes: `handoff` of its RoundRobinHandle.
 */
function closeUntaken(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...said: unknown[]) => boolean;
  const handed = new Set<Handle>();
  const sendAndRemember = (message: unknown, handle?: Handle, ...rest: unknown[]) => {
    for (const one of handed) if (one.fd < 0) handed.delete(one);
    if (typeof handle?.fd === 'number') handed.add(handle);
    return send(message, handle, ...rest);
  };
  child.send = sendAndRemember as ChildProcess['send'];
  worker.once('exit', (code) => {
    // One that ends by itself has answered for each, and another may have it by now.
    if (code !== 0) for (const one of handed) one.close();
  });
}
