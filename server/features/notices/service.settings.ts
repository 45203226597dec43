// What each user receives, and how.

import type { CalendarSettings, CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import { type ActorContext, write } from '../../context.ts';
import * as store from './store.settings.ts';

export async function readNoticeSettings(
  context: ActorContext,
): Promise<{ settings: CalendarSettings }> {
  return { settings: await store.readSettings(context.db, context.actor.id) };
}

export async function changeNoticeSettings(
  context: ActorContext,
  patch: CalendarSettingsPatch,
): Promise<{ settings: CalendarSettings }> {
  const settings = await write(context, ({ trx }) =>
    store.changeSettings(trx, context.actor.id, patch),
  );
  return { settings };
}
