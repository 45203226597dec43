import { AsyncLocalStorage } from 'node:async_hooks';
import { isIPv4, isIPv6 } from 'node:net';

/** Origin of a request, for the audit log. */
type Origin = { address: string; agent: string | null; requestId: string };

const MAX_AGENT_LENGTH = 300;
const origins = new AsyncLocalStorage<Origin>();

/** Everything that `work` starts knows the origin, also before anyone is signed in. */
export function withOrigin(origin: Origin, work: () => void): void {
  origins.run({ ...origin, agent: origin.agent?.slice(0, MAX_AGENT_LENGTH) ?? null }, work);
}

/** Undefined outside requests. */
export function currentOrigin(): Origin | undefined {
  return origins.getStore();
}

declare const counted: unique symbol;

/** The part of the network that a client is counted by; anyone with an IPv6 address has a /64 of them. */
export type Network = string & { readonly [counted]: true };

const GROUPS_OF_A_NETWORK = 4;
const GROUPS = 8;
/** The first six groups of an IPv4 address that is written as an IPv6 one. */
const MAPPED = '0:0:0:0:0:ffff';

/** Every limit per client counts by this: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(address: string): Network {
  const host = withoutPort(address.trim());
  if (!isIPv6(host)) return host.toLowerCase() as Network;
  const groups = groupsOf(host);
  if (groups.slice(0, 6).join(':') === MAPPED) return toIPv4(groups.slice(6)) as Network;
  return `${groups.slice(0, GROUPS_OF_A_NETWORK).join(':')}::/64` as Network;
}

/** Some proxies add the connection's port, which differs for each connection. */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1];
  const host = bracketed ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return host.split('%', 1)[0] ?? host;
}

function groupsOf(address: string): string[] {
  // An address may end in dotted numbers; the URL parser writes all of it in hexadecimal.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  if (after === undefined) return [...before];
  const missing = GROUPS - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after];
}

function toIPv4(groups: string[]): string {
  const dotted = groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
  return isIPv4(dotted) ? dotted : groups.join(':');
}
