/** A fault for the next matching request. */
export type Fault = {
  path: RegExp;
  method?: string;
  /** Status of the reply, instead of a success. */
  status?: number;
  /** Body of that reply; otherwise the service's usual one for the status. */
  body?: string | object;
  /** Seconds of that reply's Retry-After. */
  retryAfter?: number;
  delayMs?: number;
  /** Delays the reply. */
  until?: Promise<unknown>;
  /** Breaks the connection without a reply. */
  destroy?: boolean;
  /** Truncates the reply after that many bytes; the request succeeds. */
  cutAfterBytes?: number;
  /** With `status` or `destroy`: the request succeeds, and only its reply is lost. */
  afterwards?: boolean;
  /** Number of requests, default 1; Infinity for all. */
  times?: number;
};

/** Uses up one repetition of the first matching fault. */
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
