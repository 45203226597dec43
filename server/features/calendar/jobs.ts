import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { extendSeries, followZones } from './service.upkeep.ts';

/** Series reach two years ahead, and instants follow the rules of their zones. */
export function calendarRound(context: Context): Round {
  return {
    name: 'calendar',
    every: 3600,
    run: async () => {
      await followZones(context);
      await extendSeries(context);
    },
  };
}
