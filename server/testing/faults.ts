/** What goes wrong with the next request that fits. */
export type Fault = {
  path: RegExp;
  method?: string;
  /** Answered instead of doing what was asked. */
  status?: number;
  /** Of that answer; otherwise the service's usual words for the status. */
  body?: string | object;
  /** Seconds, of that answer. */
  retryAfter?: number;
  delayMs?: number;
  /** The answer waits for it. */
  until?: Promise<unknown>;
  /** The connection breaks off without an answer. */
  destroy?: boolean;
  /** The answer breaks off after so many bytes; what was asked is done. */
  cutAfterBytes?: number;
  /** With `status` or `destroy`: what was asked is done, and only its answer is lost. */
  afterwards?: boolean;
  /** How many requests, 1 unless told; Infinity for all. */
  times?: number;
};

/** Takes one use of the first fault that fits out of the list. */
export function takeFault(
  faults: Fault[],
  { method, path }: { method: string; path: string },
): Fault | undefined {
  const fault = faults.find(
    (one) => one.path.test(path) && (one.method === undefined || one.method === method),
  );
  if (!fault) return undefined;
  const left = (fault.times ?? 1) - 1;
  if (left <= 0) faults.splice(faults.indexOf(fault), 1);
  else fault.times = left;
  return fault;
}
