import type { World } from './twilio-world.ts';

const OUT = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const IN = ['START', 'YES', 'UNSTOP'];

/** Keeps who wants no texts from which number, as Twilio does of its own accord. */
export function heedKeyword(
  { optedOut }: World,
  { from, to, body }: { from: string; to: string; body: string },
): void {
  const word = body.trim().toUpperCase();
  if (OUT.includes(word)) optedOut.add(`${to} ${from}`);
  if (IN.includes(word)) optedOut.delete(`${to} ${from}`);
}
