export type Load = { clients: number; seconds: number };

const WARM_UP_MS = 500;

/**
 * Each client calls again as soon as its last call is answered; the warm-up is not counted.
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
    for (;;) {
      const sent = performance.now();
      if (sent >= end) return;
      await call();
      if (sent >= counted) milliseconds.push(performance.now() - sent);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return milliseconds;
}
