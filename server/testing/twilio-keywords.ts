import type { World } from './twilio-world.ts';

const OUT = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const IN = ['START', 'YES', 'UNSTOP'];

/** Keeps opt-outs per pair of numbers, as Twilio does itself. */
export function heedKeyword(
  { optedOut }: World,
  { from, to, body }: { from: string; to: string; body: string },
): void {
  const word = body.trim().toUpperCase();
  if (OUT.includes(word)) optedOut.add(`${to} ${from}`);
  if (IN.includes(word)) optedOut.delete(`${to} ${from}`);
}
