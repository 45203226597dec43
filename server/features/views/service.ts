// Lists with their filters, which users save for themselves.

import { type NewView, type SavedView, VIEWS_MAX } from '@matterdesk/contract/views.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { requireActive } from '../accounts/service.ts';
import * as store from './store.ts';

export async function listViews(context: ActorContext): Promise<{ views: SavedView[] }> {
  return { views: await store.listViews(asActor(context), context.actor.id) };
}

/** @throws Refusal conflict for too many */
export function saveView(context: ActorContext, view: NewView): Promise<{ view: SavedView }> {
  const { id } = context.actor;
  return write(context, async ({ trx }) => {
    await requireActive(trx, context.actor);
    await store.lockOwner(trx, id);
    const saved = await store.saveView(trx, id, view);
    if ((await store.countViews(trx, id)) > VIEWS_MAX)
      throw new Refusal('conflict', `You have ${VIEWS_MAX} saved views already. Remove one first.`);
    return { view: saved };
  });
}

/** @throws Refusal notFound, also for another user's */
export async function deleteView(context: ActorContext, id: string): Promise<void> {
  const userId = context.actor.id;
  await write(context, async ({ trx }) => {
    if (!isId(id) || !(await store.deleteView(trx, { id, userId }))) throw notFound('View');
  });
}
