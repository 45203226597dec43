/** An address of a network that belongs to no one: of one attacker, or of the whole crowd. */
export function forwardedFor(n: number): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `198.51.${100 + (Math.floor(n / 250) % 100)}.${1 + (n % 250)}` };
}
