import type { Round } from '../../jobs/queue.ts';
import type { GlassService } from './service.glass.ts';

/** Reads stop when an opening ends; its pages are closed within this many seconds. */
const EVERY = 60;

export function accessRound(glass: GlassService): Round {
  return { name: 'access', every: EVERY, run: () => glass.endOpenings() };
}
