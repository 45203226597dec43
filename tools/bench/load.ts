export type Load = { clients: number; seconds: number };

const WARM_UP_MS = 500;

/**
 * Each client calls again as soon as its last call is answered; the warm-up is not counted. Whatever a call takes, each
 * client's second one is.
 * @returns milliseconds of each call
 */
export async function measure(
  { clients, seconds }: Load,
  call: () => Promise<unknown>,
): Promise<number[]> {
  const counted = performance.now() + WARM_UP_MS;
  const end = counted + seconds * 1000;
  const milliseconds: number[] = [];
  async function client() {
    for (let called = 0; called < 2 || performance.now() < end; called += 1) {
      const sent = performance.now();
      await call();
      if (called > 0 && (sent >= counted || called === 1))
        milliseconds.push(performance.now() - sent);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return milliseconds;
}

/** Call durations in milliseconds. */
export type Samples = {
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  most: number;
  /** Calls per second that were measured, also those that ended later. */
  perSecond: number;
};

/** @param seconds total duration of the calls */
export function summarize(milliseconds: number[], seconds: number): Samples {
  if (milliseconds.length === 0) throw new Error('nothing was measured');
  const sorted = Float64Array.from(milliseconds).toSorted();
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    perSecond: milliseconds.length / seconds,
  };
}

const ROUNDS = 40;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Asks for the same again and again, one after the other, and says a row of a Markdown table: median and p95 in milliseconds. */
export async function reportTimes(name: string, ask: () => Promise<unknown>): Promise<void> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await ask();
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => (taken[Math.floor((ROUNDS - 1) * share)] ?? 0).toFixed(1);
  say(`| ${name} | ${at(0.5)} | ${at(0.95)} |`);
}
