import type { FastifyRequest } from 'fastify';
import type { SessionOwner } from '../features/accounts/service.ts';
import type { Actor } from './actor.ts';
import { Refusal } from './refusal.ts';

type OwnerOf = (token: string) => Promise<SessionOwner | undefined>;

/**
 * Makes the gate of every protected route: the token in `x-auth-token` must open a living session.
 * @throws Refusal invalidToken
 */
export function createGate(ownerOf: OwnerOf) {
  return async (request: FastifyRequest): Promise<Actor> => {
    const token = request.headers['x-auth-token'];
    const owner = typeof token === 'string' && token ? await ownerOf(token) : undefined;
    if (!owner) throw new Refusal('invalidToken');
    const socketId = request.headers['x-socket-id'];
    return {
      ...owner,
      requestId: request.id,
      socketId: typeof socketId === 'string' ? socketId : undefined,
    };
  };
}
