/** Rest as a multiple of the time that the work took, so that background work takes a fifth of a processor. */
const REST_FACTOR = 4;
/** Milliseconds after a request in which the next one is expected. */
const REQUEST_EXPECTED_MS = 5000;
/** Milliseconds between checks whether a rest is still needed. */
const CHECK_INTERVAL_MS = 500;

/** Background work beside requests: people come first. */
export class Pace {
  readonly #hasPeers: () => Promise<boolean>;
  #underWay = 0;
  #served = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** @param hasPeers whether other processes serve this database too, whose requests are not seen here */
  constructor(hasPeers: () => Promise<boolean>) {
    this.#hasPeers = hasPeers;
  }

  begin(): void {
    this.#underWay += 1;
    this.#served += 1;
  }

  end(): void {
    this.#underWay -= 1;
    this.#last = performance.now();
  }

  /** Requests that this process has begun to serve. */
  get served(): number {
    return this.#served;
  }

  /** Milliseconds since this process served a request; 0 while it does. */
  get quiet(): number {
    return this.#underWay > 0 ? 0 : performance.now() - this.#last;
  }

  /** Does a piece of background work, and rests after it while someone is served. */
  async give<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const begunAt = performance.now();
    const result = await work();
    const endedAt = performance.now();
    const until = endedAt + REST_FACTOR * (endedAt - begunAt);
    for (;;) {
      const left = until - performance.now();
      if (left <= 0 || signal.aborted || !(await this.#isServing())) return result;
      await pause(Math.min(left, CHECK_INTERVAL_MS), signal);
    }
  }

  async #isServing(): Promise<boolean> {
    return this.quiet < REQUEST_EXPECTED_MS || (await this.#hasPeers());
  }
}

/** Milliseconds, or until the signal. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    timer.unref();
    signal.addEventListener('abort', end);
  });
}
