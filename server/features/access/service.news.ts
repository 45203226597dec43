import type { Person } from '@matterdesk/contract/cases.ts';
import { type Context, hook } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { isInside } from './rules.ts';
import type { Found } from './service.wall.ts';
import * as store from './store.ts';

/** What people with access to a matter have to learn of. */
type Reported =
  | { type: 'opened'; by: Person; reason: string; until: Date }
  | { type: 'paused'; person: Person; by: Person };
/** `outside` manage walls without access: they learn that a matter was opened, or that no one has access now, not which. */
export type AccessNews = Reported & { matter: store.Matter; inside: string[]; outside: string[] };

/** What was done to a matter's access, in the transaction. */
export const accessReported = hook<[unit: Unit, news: AccessNews]>();

/** Reports to everyone with access, also for a time, and with less to those who manage walls; never to the screened. */
export async function reportAccess(
  context: Context,
  unit: Unit,
  { found, news }: { found: Found; news: Reported },
): Promise<void> {
  const { matter, wall, named: all } = found;
  const about = news.type === 'opened' ? news.by.id : news.person.id;
  const isOther = (id: string) => id !== about && !wall.screened.includes(id);
  const active = (await store.listActivePeople(unit.trx)).filter(isOther);
  const opened = all.filter(({ kind }) => kind === 'opened').map(({ user_id: id }) => id);
  const inside = active.filter((id) => isInside(wall, id) || opened.includes(id));
  const isForKeepers = news.type === 'opened' || inside.length === 0;
  const keepers = isForKeepers ? await store.listKeepers(unit.trx) : [];
  const outside = keepers.filter((id) => isOther(id) && !inside.includes(id));
  await accessReported.run(context, unit, { ...news, matter, inside, outside });
}
