import type { Context } from '../../../context.ts';
import type { Round } from '../../../jobs/queue.ts';
import { purgeForms } from '../forms/service.receiving.ts';
import { eraseDueIntakes } from './service.ts';

const HOUR = 3600;

export function erasingRound(context: Context): Round {
  const run = async () => {
    await purgeForms(context);
    await eraseDueIntakes(context);
  };
  return { name: 'erasing', every: HOUR, run };
}
