// How much came in, how soon it was answered, and how it ended.

import type { StatGroup } from '@matterdesk/contract/intake-routes.ts';
import { listStats } from './store.stats.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { readFirm } from '../firm/service.ts';

/** Of the intakes that the caller may see; days are the firm's. */
export async function readIntakeStats(
  context: ActorContext,
  asked: { from: string; to: string; by: StatGroup },
) {
  const { timeZone } = await readFirm(context);
  return { rows: await listStats(asActor(context), { ...asked, timeZone }) };
}
