import type { Round } from '../../jobs/queue.ts';
import type { SeriesUpkeep } from './service.upkeep.ts';

/** Series reach two years ahead, and instants follow the rules of their zones. */
export function calendarRound(upkeep: SeriesUpkeep): Round {
  return {
    name: 'calendar',
    every: 3600,
    run: async () => {
      await upkeep.followZones();
      await upkeep.extendSeries();
    },
  };
}
