import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export type Watched = {
  seconds: number;
  /** Milliseconds. */
  loopDelay: { p50: number; p99: number; max: number };
  /** Peak MB of the largest child process that read a document. */
  childMemory: number;
};

const EVERY_MS = 50;

/** Measures this process and its children during the work. */
export async function watch<T>(work: () => Promise<T>): Promise<{ value: T; watched: Watched }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let childMemory = 0;
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(async () => {
      childMemory = Math.max(childMemory, await largestChild());
    });
  }, EVERY_MS);
  delay.enable();
  const begun = performance.now();
  try {
    const value = await work();
    const seconds = (performance.now() - begun) / 1000;
    delay.disable();
    const ms = (nanoseconds: number) => nanoseconds / 1e6;
    const loopDelay = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
    };
    return { value, watched: { seconds, loopDelay, childMemory } };
  } finally {
    clearInterval(timer);
    await sampling;
  }
}

/** Peak MB of the largest Node child process. */
async function largestChild(): Promise<number> {
  const tasks = await readdir('/proc/self/task').catch(() => []);
  const peaks: number[] = [];
  for (const task of tasks) {
    const children = await readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '');
    for (const pid of children.split(' ').filter(Boolean)) peaks.push(await peakOf(pid));
  }
  return Math.max(0, ...peaks);
}

async function peakOf(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  if (!/^Name:\s*(node|MainThread)/m.test(status)) return 0;
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
