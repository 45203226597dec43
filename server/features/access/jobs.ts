import type { Round } from '../../jobs/queue.ts';
import type { AccessService } from './service.ts';

/** Reads stop when an opening ends; its pages are closed within this many seconds. */
const EVERY = 60;

export function accessRound(access: AccessService): Round {
  return { name: 'access', every: EVERY, run: () => access.endOpenings() };
}
