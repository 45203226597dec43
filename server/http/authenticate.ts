// The conventions of every route: authentication, bodies, refusals, paging, headers, description.

import type { FastifyRequest } from 'fastify';
import type { Actor, Enrolling, SessionOwner } from '../core/actor.ts';
import { Refusal } from '../core/refusal.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

type OwnerOf = (token: string) => Promise<SessionOwner | undefined>;

/**
 * Creates the gate of every protected route: the token in `x-auth-token` must belong to a valid session. Routes for
 * plain links also accept the session cookie.
 * @throws Refusal invalidToken
 */
export function createGate(ownerOf: OwnerOf) {
  return async (request: FastifyRequest, takesCookie: boolean): Promise<Actor & Enrolling> => {
    const cookie = takesCookie ? request.cookies[SESSION_COOKIE] : undefined;
    const token = request.headers['x-auth-token'] ?? cookie;
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
