import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Refusal } from '../core/refusal.ts';
import type { PrimaryMessage, WorkerMessage, ProcessSlot, Share } from './share.ts';

export const isWorker = cluster.isWorker;

let asked = 0;

/** Receives what this process shares with the others, and its place among them. */
export async function begin(): Promise<{ share: Share; seat: ProcessSlot }> {
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
