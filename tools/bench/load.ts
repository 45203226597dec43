import { summarize, type Samples } from './samples.ts';

export type Load = { clients: number; seconds: number };

const WARM_UP_MS = 1000;

/**
 * Each client calls again as soon as its last call is answered; the first second is not counted.
 * @param call receives a unique number
 */
export async function measure(
  { clients, seconds }: Load,
  call: (n: number) => Promise<void>,
): Promise<Samples> {
  const begun = performance.now();
  const counted = begun + WARM_UP_MS;
  const end = counted + seconds * 1000;
  const milliseconds: number[] = [];
  let n = 0;
  async function client() {
    for (;;) {
      const sent = performance.now();
      if (sent >= end) return;
      n += 1;
      await call(n);
      const answered = performance.now();
      if (sent >= counted) milliseconds.push(answered - sent);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return summarize(milliseconds, seconds);
}
