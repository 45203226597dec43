import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system assigns by itself, so that no one takes it between the check and its use.
const FIRST = 10_000;
const END = 32_000;

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
