import { walledKinds } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Context } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { HandledAct } from '../accounts/service.events.ts';
import { reportAccess } from './service.news.ts';
import { announce, readWall } from './service.wall.ts';
import * as named from './store.named.ts';
import * as store from './store.ts';

type Pause = { person: Person; by: Person };

/** Closes restricted matters to a user whose password someone else's link sets. */
export async function pauseAfterPassword(
  context: Context,
  unit: Unit,
  { person, by, act }: HandledAct,
): Promise<void> {
  const { id, first_name: firstName, last_name: lastName } = person;
  if (act === 'passwordSet')
    await pause(context, unit, { person: { id, firstName, lastName }, by });
}

/** Until someone with access lets the user in again: the maker of the link may have used it. */
async function pause(context: Context, unit: Unit, { person, by }: Pause): Promise<void> {
  for (const kind of walledKinds) {
    const ids = await named.insertPauses(unit.trx, kind, { userId: person.id, by: by.id });
    for (const id of ids) {
      const place = { kind, id };
      await store.touchMatter(unit.trx, place);
      const entry = { action: 'paused', people: [person.id], reason: '' } as const;
      await named.insertHistory(unit.trx, place, { by: by.id, ...entry });
      const found = await readWall(unit.trx, place);
      announce(unit, id, [found.wall]);
      await reportAccess(context, unit, { found, news: { type: 'paused', person, by } });
    }
  }
}
