import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf, type Network } from '../core/origin.ts';

/** Sender of a request: the address is for people and the audit log, the network for every limit. */
export type Client = { address: string; network: Network };

export function clientOf({ ip: address }: FastifyRequest): Client {
  return { address, network: networkOf(address) };
}

/** The sender of a request that Fastify does not see. @param proxies trusted ones in front of the server */
export function clientOfRaw({ headers, socket }: IncomingMessage, proxies: number): Client {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = forwarded.map((one) => one.trim()).filter(Boolean);
  const path = [...named, socket.remoteAddress ?? ''];
  const address = path.at(-1 - Math.min(proxies, named.length)) ?? '';
  return { address, network: networkOf(address) };
}

const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
/** Headers of proxies, which also connect from this machine. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether the connection is a program's on this machine, with no proxy that says so of itself in between. */
export function isLocalConnection({ raw, headers }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  );
}

/** Also requires a Host header that names this machine: a proxy may add no header, but passes on the host. */
export function isLocalRequest(request: FastifyRequest): boolean {
  return isLocalConnection(request) && LOOPBACK_HOST.test(request.headers.host ?? '');
}
