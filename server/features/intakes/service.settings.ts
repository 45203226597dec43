// How the firm handles intakes.

import type { IntakeSettings } from '@matterdesk/contract/intake-routes.ts';
import * as store from './store.settings.ts';
import { type ActorContext, type Context, write } from '../../context.ts';

export async function readIntakeSettings(context: Context) {
  return { settings: await store.findSettings(context.db) };
}

/** For admins, as the route says. */
export async function changeIntakeSettings(context: ActorContext, settings: IntakeSettings) {
  return write(context, async (unit) => {
    const before = await store.findSettings(unit.trx);
    await store.updateSettings(unit.trx, settings);
    const entry = {
      action: 'settingsChanged',
      entity: 'intakeSettings',
      entityId: null,
    } as const;
    await unit.record({ ...entry, before, after: settings });
    return { settings };
  });
}
