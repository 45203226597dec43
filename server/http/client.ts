import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { networkOf, type Network } from '../core/origin.ts';

/** Sender of a request: the address is for people and the audit log, the network for every limit. */
export type Client = { address: string; network: Network };

export function clientOf({ ip: address }: FastifyRequest): Client {
  return { address, network: networkOf(address) };
}

/** The same for requests that Fastify does not see. @param proxies trusted ones in front of the server */
export function clientOfRaw({ headers, socket }: IncomingMessage, proxies: number): Client {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = forwarded.map((one) => one.trim()).filter(Boolean);
  const path = [...named, socket.remoteAddress ?? ''];
  const address = path.at(-1 - Math.min(proxies, named.length)) ?? '';
  return { address, network: networkOf(address) };
}
