// Google: sign-in and Gmail.

import { GoogleFailure } from './failure.ts';

/** Size of Gmail's largest mail as JSON, in bytes. */
const MOST = 75 * 1024 * 1024;

/** Reads a body in place: concatenating tens of megabytes at the end would block the event loop. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  // Memory is committed only as the body grows.
  const whole = new ArrayBuffer(0, { maxByteLength: MOST });
  for await (const piece of body) {
    const at = whole.byteLength;
    if (at + piece.length > MOST) throw new GoogleFailure('tooLarge');
    whole.resize(at + piece.length);
    new Uint8Array(whole).set(piece, at);
  }
  return whole;
}
