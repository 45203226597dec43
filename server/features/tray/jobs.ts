import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { purgeTray } from './service.ts';

/** Removes what was filed or dismissed so long ago that it cannot be undone any more. */
export function trayRound(context: Context): Round {
  return { name: 'tray', every: 3600, run: () => purgeTray(context) };
}
