// Shows a matter for some hours to someone who manages walls.

import { type Glass, walledKinds } from '@matterdesk/contract/access.ts';
import type { ActorContext, Context } from '../../context.ts';
import { allow } from '../../core/actor.ts';
import { reportAccess } from './service.news.ts';
import { about, audienceOf, findWall, type Matter } from './service.wall.ts';
import * as named from './store.named.ts';

const WHY = 'someone who manages walls opens a matter that they do not see';

/** Lets the caller see a matter for some hours; everyone with access is notified. */
export async function openAccess(
  context: ActorContext,
  matter: Matter,
  { reason, hours }: Glass,
): Promise<Date> {
  allow(context.actor, 'manageWalls');
  return context.writer.runAsSystem(context.actor, WHY, async (unit) => {
    const found = await findWall(unit.trx, context.actor, matter);
    const { matter: place, wall } = found;
    const opening = { userId: context.actor.id, reason, hours };
    const until = await named.insertOpening(unit.trx, place, opening);
    const entry = { action: 'glassOpened', people: [context.actor.id], reason } as const;
    await named.insertHistory(unit.trx, place, { by: context.actor.id, ...entry });
    const after = { reason, until: until.toISOString() };
    await unit.record({ ...about(place, 'opened'), after });
    const { id, firstName, lastName } = context.actor;
    const opened = { id: place.id, person: { id, firstName, lastName }, until: after.until };
    unit.emit('access.opened', opened, { audience: audienceOf([wall], 'manageWalls') });
    unit.emit('access.changed', { id: place.id }, { audience: { userIds: [id] } });
    const news = { type: 'opened', by: opened.person, reason, until } as const;
    await reportAccess(context, unit, { found, news });
    return until;
  });
}

/** Notifies the users whose openings have ended; their pages then close. */
export async function endOpenings(context: Context): Promise<void> {
  await context.writer.runAsSystem(null, 'openings end by themselves', async (unit) => {
    for (const kind of walledKinds)
      for (const { id, user_id: userId } of await named.takeEnded(unit.trx, kind))
        unit.emit('access.changed', { id }, { audience: { userIds: [userId] } });
  });
}
