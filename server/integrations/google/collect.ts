import { GoogleFailure } from './failure.ts';

/** Bytes of the largest mail that Gmail holds, as JSON. */
const MOST = 75 * 1024 * 1024;

/** A body whole, piece by piece into its place: putting tens of megabytes together at the end would hold up everybody. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  // Takes memory only as it grows.
  const whole = new ArrayBuffer(0, { maxByteLength: MOST });
  for await (const piece of body) {
    const at = whole.byteLength;
    if (at + piece.length > MOST) throw new GoogleFailure('tooLarge');
    whole.resize(at + piece.length);
    new Uint8Array(whole).set(piece, at);
  }
  return whole;
}
