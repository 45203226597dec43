/** Attempts by key and window, in the database so that all processes share the count. */
export type Limit = {
  key: string;
  windowMs: number;
  /** Seconds to wait before the next attempt. */
  waitAfter: (past: Past) => number;
};

/** What a key attempted within the window. */
export type Past = {
  count: number;
  /** Seconds since the last attempt, and until the oldest expires. */
  sinceLast: number;
  untilFewer: number;
};

/** Refuses further attempts until the oldest expires. */
export function atMost(most: number): Limit['waitAfter'] {
  return ({ count, untilFewer }) => (count < most ? 0 : Math.max(1, untilFewer));
}
