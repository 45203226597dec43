import type { Worker } from 'node:cluster';
import type { ChildProcess } from 'node:child_process';

/** A connection as the system knows it. */
type Handle = { fd: number; close: () => void };

/**
 * Closes connections that were handed to a process which died before it took them, so that their clients learn of it and
 * ask again. Node's cluster keeps them open until an answer that never comes: `handoff` of its RoundRobinHandle.
 */
export function closeUntaken(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...said: unknown[]) => boolean;
  const handed = new Set<Handle>();
  const remembering = (message: unknown, handle?: Handle, ...rest: unknown[]) => {
    for (const one of handed) if (one.fd < 0) handed.delete(one);
    if (typeof handle?.fd === 'number') handed.add(handle);
    return send(message, handle, ...rest);
  };
  child.send = remembering as ChildProcess['send'];
  worker.once('exit', (code) => {
    // One that ends by itself has answered for each, and another may have it by now.
    if (code !== 0) for (const one of handed) one.close();
  });
}
