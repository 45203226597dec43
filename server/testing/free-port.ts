import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system hands out by itself: nobody is given one of these between the look and its use.
const FIRST = 10_000;
const END = 32_000;

/** A port of 127.0.0.1 that nothing listens to. */
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
