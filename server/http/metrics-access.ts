import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether metrics are for this caller: a program on this machine, or one with the token. */
export function mayReadMetrics({ raw, headers }: FastifyRequest, token: string | undefined) {
  if (token !== undefined && isSame(headers.authorization ?? '', `Bearer ${token}`)) return true;
  const isDirect = FORWARDING.every((name) => headers[name] === undefined);
  const isHere = LOOPBACK.test(raw.socket.remoteAddress ?? '');
  return isHere && isDirect && LOOPBACK_HOST.test(headers.host ?? '');
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
