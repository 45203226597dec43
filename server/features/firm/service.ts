// The settings of the firm.

import type { Firm, FirmPatch } from '@matterdesk/contract/firm.ts';
import { type ActorContext, type Context, perContext, write } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import * as store from './store.ts';

const cacheOf = perContext(({ realtime }) => {
  const cache: { firm?: Promise<Firm> | undefined } = {};
  realtime.onFirmChanged(() => {
    cache.firm = undefined;
  });
  return cache;
});

/** From memory until another process, or this one, changes them; every request reads them. */
export function readFirm(context: Context): Promise<Firm> {
  const cache = cacheOf(context);
  cache.firm ??= loadFirm(context);
  return cache.firm;
}

function loadFirm(context: Context): Promise<Firm> {
  const found: Promise<Firm> = store.findFirm(context.db).catch((error: unknown) => {
    const cache = cacheOf(context);
    if (cache.firm === found) cache.firm = undefined;
    throw error;
  });
  return found;
}

/** @throws Refusal notPermitted */
export async function changeFirm(context: ActorContext, patch: FirmPatch): Promise<Firm> {
  if (context.actor.role !== 'admin') throw new Refusal('notPermitted');
  return write(context, async (unit) => {
    const before = await store.lockFirm(unit.trx);
    const after = await store.updateFirm(unit.trx, patch);
    const entry = { action: 'settingsChanged', entity: 'firm', entityId: null } as const;
    await unit.record({ ...entry, before, after });
    unit.afterCommit((realtime) => {
      realtime.announceFirm();
      if (after.secondFactor !== before.secondFactor) realtime.readmit();
    });
    return after;
  });
}
