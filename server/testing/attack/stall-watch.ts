// Loaded into the attacked server before its own code: reports each turn of the event loop that was too expensive.

import { appendFileSync } from 'node:fs';
import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** The variable that names the file for reports, one JSON object per line. */
export const STALL_REPORT = 'MATTERDESK_STALL_REPORT';

/** On this signal the server collects its garbage. */
export const COLLECT = 'SIGUSR2';

/**
 * From and to in Unix milliseconds; `processor` are milliseconds that the main thread itself computed, of which up to
 * `collected` went into collections of garbage.
 */
export type Stall = { from: number; to: number; processor: number; collected: number };

const EVERY_MS = 10;
/** Reports well below the limit show how far away it is. */
const REPORTED_MS = 40;

const report = process.env[STALL_REPORT];
if (report !== undefined && isMainThread) watch(report);

/** Wall-clock time would blame the server for a busy machine. */
function watch(file: string): void {
  setFlagsFromString('--expose-gc');
  process.on(COLLECT, runInNewContext('gc') as () => void);
  let collected = 0;
  const add = (entries: PerformanceEntry[]) => {
    for (const { duration } of entries) collected += duration;
  };
  const collections = new PerformanceObserver((list) => add(list.getEntries()));
  collections.observe({ entryTypes: ['gc'] });
  let before = { at: Date.now(), processor: process.threadCpuUsage() };
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before.processor);
    const processor = (user + system) / 1000;
    add(collections.takeRecords());
    const now = Date.now();
    const stall: Stall = { from: before.at, to: now, processor, collected };
    if (processor >= REPORTED_MS) appendFileSync(file, `${JSON.stringify(stall)}\n`);
    collected = 0;
    before = { at: now, processor: process.threadCpuUsage() };
  }, EVERY_MS).unref();
}
