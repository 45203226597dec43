import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { Refusal } from '../core/refusal.ts';
import type { Connection } from '../db/connect.ts';

export const isWorker = cluster.isWorker;

let asked = 0;

/** Receives what this process shares with the others, and its place among them. */
export async function receiveShare(): Promise<{ share: WorkerShare; slot: ProcessSlot }> {
  // Answers the primary's questions about metrics from now on, first with none.
  void new AggregatorRegistry();
  report({ type: 'begun' });
  return new Promise((resolve) => {
    onOrder((order, stop) => {
      if (order.type !== 'begin') return;
      stop();
      resolve(order);
    });
  });
}

export function onDrain(handle: () => void): void {
  onOrder((order) => {
    if (order.type === 'drain') handle();
  });
}

export function reportReady(): void {
  report({ type: 'ready' });
}

/** The metrics of all processes as one text: each process alone counts its own requests. */
export function gatherMetrics(registry: Registry): () => Promise<string> {
  if (!isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  return askForAll;
}

function askForAll(): Promise<string> {
  const ask = (asked += 1);
  return new Promise((resolve, reject) => {
    onOrder((order, stop) => {
      if (order.type !== 'metrics' || order.ask !== ask) return;
      stop();
      if (order.text === undefined) reject(new Refusal('unavailable'));
      else resolve(order.text);
    });
    report({ type: 'metrics', ask });
  });
}

function onOrder(handle: (order: PrimaryMessage, stop: () => void) => void): void {
  const listener = (order: PrimaryMessage) => handle(order, () => process.off('message', listener));
  process.on('message', listener);
}

function report(message: WorkerMessage): void {
  process.send?.(message);
}

/** Resources shared by the processes on one DATA_DIR. */
export type WorkerShare = {
  /** DATA_DIR as a real path, which the first process has locked. */
  directory: string;
  secretKey: string;
  connection: Connection;
};

/** Which of these processes one is. */
export type ProcessSlot = {
  /** From 1; a replacement takes the number of the process that ended. */
  number: number;
  /** Whether no other process can be working yet. */
  isFirst: boolean;
};

export const SOLE_PROCESS: ProcessSlot = { number: 1, isFirst: true };

/**
 * A name for what one process leaves unfinished. It has the host name, since several machines can share an S3 store and
 * a DATA_DIR path.
 */
export function ownerOf({
  config,
  slot = SOLE_PROCESS,
}: {
  config: Config;
  slot?: ProcessSlot;
}): string {
  const place = config.s3 ? `${hostname()}:${config.dataDir}` : config.dataDir;
  return slot.number === 1 ? place : `${place}#${slot.number}`;
}

/** From a worker to the primary. */
export type WorkerMessage =
  | { type: 'begun' }
  | { type: 'ready' }
  | { type: 'metrics'; ask: number };
/** From the primary to a worker. */
export type PrimaryMessage =
  | { type: 'begin'; share: WorkerShare; slot: ProcessSlot }
  | { type: 'drain' }
  | { type: 'metrics'; ask: number; text: string | undefined };
