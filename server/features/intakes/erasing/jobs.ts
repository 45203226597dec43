import type { Round } from '../../../jobs/queue.ts';
import type { ReceivingService } from '../forms/service.receiving.ts';
import type { ErasingService } from './service.ts';

const HOUR = 3600;

export function erasingRound(services: {
  erasing: ErasingService;
  receiving: ReceivingService;
}): Round {
  const run = async () => {
    await services.receiving.purge();
    await services.erasing.eraseDue();
  };
  return { name: 'erasing', every: HOUR, run };
}
