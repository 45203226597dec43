// Overrides of a wall: openings for some hours, and pauses after a password was set by a link.

import { type EmergencyAccess, walledKinds } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { type ActorContext, type Context, hook } from '../../context.ts';
import { allow } from '../../core/actor.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { type ReportedAct, listActiveUserIds } from '../accounts/service.ts';
import { isInside } from './rules.ts';
import {
  about,
  announce,
  audienceOf,
  findWall,
  type MatterAccess,
  type Matter,
  readWall,
} from './service.ts';
import * as store from './store.ts';

const WHY = 'someone who manages walls opens a matter that they do not see';

type Pause = { person: Person; by: Person };

/** An event that people with access to a matter are notified of. */
type OverrideNews =
  | { type: 'opened'; by: Person; reason: string; until: Date }
  | { type: 'paused'; person: Person; by: Person };
/** `outside` are wall managers without access: they learn that a matter was opened or lost its last person, not which. */
export type AccessNews = OverrideNews & {
  matter: store.Matter;
  inside: string[];
  outside: string[];
};

/** Reports an override of a matter's access, in its transaction. */
export const accessReported = hook<[unit: Unit, news: AccessNews]>();

/** Lets the caller see a matter for some hours; everyone with access is notified. */
export async function openAccess(
  context: ActorContext,
  matter: Matter,
  { reason, hours }: EmergencyAccess,
): Promise<Date> {
  allow(context.actor, 'manageWalls');
  return context.writer.runAsSystem(context.actor, WHY, async (unit) => {
    const found = await findWall(unit.trx, context.actor, matter);
    const { matter: place, wall } = found;
    const opening = { userId: context.actor.id, reason, hours };
    const until = await store.insertOpening(unit.trx, place, opening);
    const entry = { action: 'glassOpened', people: [context.actor.id], reason } as const;
    await store.insertHistory(unit.trx, place, { by: context.actor.id, ...entry });
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
      for (const { id, user_id: userId } of await store.takeEndedOpenings(unit.trx, kind))
        unit.emit('access.changed', { id }, { audience: { userIds: [userId] } });
  });
}

/** Closes restricted matters to a user whose password someone else's link sets. */
export async function pauseAfterPassword(
  context: Context,
  unit: Unit,
  { person, by, act }: ReportedAct,
): Promise<void> {
  const { id, first_name: firstName, last_name: lastName } = person;
  if (act === 'passwordSet')
    await pause(context, unit, { person: { id, firstName, lastName }, by });
}

/** Lasts until someone with access lets the user in again: the maker of the link may have used it. */
async function pause(context: Context, unit: Unit, { person, by }: Pause): Promise<void> {
  for (const kind of walledKinds) {
    const ids = await store.insertPauses(unit.trx, kind, { userId: person.id, by: by.id });
    for (const id of ids) {
      const place = { kind, id };
      await store.touchMatter(unit.trx, place);
      const entry = { action: 'paused', people: [person.id], reason: '' } as const;
      await store.insertHistory(unit.trx, place, { by: by.id, ...entry });
      const found = await readWall(unit.trx, place);
      announce(unit, id, [found.wall]);
      await reportAccess(context, unit, { found, news: { type: 'paused', person, by } });
    }
  }
}

/** Reports to everyone with access, even for a time, and less to other wall managers; never to the screened. */
async function reportAccess(
  context: Context,
  unit: Unit,
  { found, news }: { found: MatterAccess; news: OverrideNews },
): Promise<void> {
  const { matter, wall, named: all } = found;
  const about = news.type === 'opened' ? news.by.id : news.person.id;
  const isOther = (id: string) => id !== about && !wall.screened.includes(id);
  const active = (await listActiveUserIds(unit.trx)).filter(isOther);
  const opened = all.filter(({ kind }) => kind === 'opened').map(({ user_id: id }) => id);
  const inside = active.filter((id) => isInside(wall, id) || opened.includes(id));
  const isForManagers = news.type === 'opened' || inside.length === 0;
  const managers = isForManagers ? await store.listWallManagers(unit.trx) : [];
  const outside = managers.map(({ id }) => id).filter((id) => isOther(id) && !inside.includes(id));
  await accessReported.run(context, unit, { ...news, matter, inside, outside });
}
