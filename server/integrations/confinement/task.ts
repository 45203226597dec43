// The confined side of a task: it gets one order with its bytes, and answers.

import { Socket } from 'node:net';
import { frameOf, Frames } from './frames.ts';

/** The libraries own standard output. */
const OUT = 3;
const out = new Socket({ fd: OUT, readable: false, writable: true });

/** Sends one frame and waits while the other side is busy. */
export async function send(part: Uint8Array | string): Promise<void> {
  const [head, bytes] = frameOf(part);
  out.write(head);
  if (!out.write(bytes)) await new Promise<void>((resolve) => out.once('drain', resolve));
}

/**
 * The order and the bytes that follow it; `size` in the order says how many. Replies come after them.
 * @throws when the input ends before them, so that a part is not taken for the whole
 */
export async function receiveTask<Order extends { size?: number }>(): Promise<{
  order: Order;
  body: Buffer;
  replies: Frames;
}> {
  const frames = new Frames(process.stdin as AsyncIterable<Buffer>);
  const first = await frames.next();
  if (!first) throw new Error('no order');
  const order = JSON.parse(first.toString()) as Order;
  // One buffer of the right size: concatenating would take twice the memory.
  const whole = order.size === undefined ? undefined : Buffer.alloc(order.size);
  const parts: Buffer[] = [];
  let filled = 0;
  for (;;) {
    const part = await frames.next();
    if (!part) throw new Error('the rest never came');
    if (part.length === 0) break;
    if (whole) filled += part.copy(whole, filled);
    else parts.push(part);
  }
  return { order, body: whole?.subarray(0, filled) ?? Buffer.concat(parts), replies: frames };
}
