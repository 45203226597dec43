// Texts of one user, filed to matters, where everyone with access reads them.

import { type ActorContext, hook, write } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { requireActive } from '../accounts/service.ts';
import { caseExists, refreshCase } from '../cases/service.ts';
import * as store from './store.ts';

/** Reports own texts that were filed to a matter, or taken out of one again. */
export const textsFiled = hook<[unit: Unit, filing: TextFiling & { by: string }]>();

const NOT_OWN = 'Please select your own texts';

type Batch = { case: string; messageIds: string[] };

/** A text that is filed there already counts as none. @throws Refusal invalidInput for another's text, like an unknown one */
export async function fileTexts(
  context: ActorContext,
  { case: caseId, messageIds }: Batch,
): Promise<{ filed: number }> {
  return write(context, async (unit) => {
    // First the user, then the matter: the order in which others lock them.
    await requireActive(unit.trx, context.actor);
    await requireCase(unit.trx, caseId);
    return { filed: await addTextsTo(context, unit, { case: caseId, messageIds }) };
  });
}

/** Own texts, filed within another write. @returns how many were not there @throws Refusal invalidInput */
export async function addTextsTo(
  context: ActorContext,
  unit: Unit,
  { case: caseId, messageIds }: Batch,
): Promise<number> {
  const by = context.actor.id;
  const ids = requireIds(messageIds);
  const own = await store.findOwnTexts(unit.trx, ids, by);
  if (own.length < ids.length) throw invalidField('messageIds', NOT_OWN);
  const filed = await store.fileTexts(unit.trx, { caseId, ids, by });
  await recordFiling(context, unit, { caseId, ids: filed, action: 'filed' });
  return filed.length;
}

/** Open to the user who filed them, and to those with createCases. @throws Refusal notPermitted, invalidInput */
export async function unfileTexts(
  context: ActorContext,
  { case: caseId, messageIds }: Batch,
): Promise<{ unfiled: number }> {
  const { actor } = context;
  return write(context, async (unit) => {
    await requireCase(unit.trx, caseId);
    const ids = requireIds(messageIds);
    const filers = await store.lockFiledTexts(unit.trx, caseId, ids);
    if (!actor.permissions.createCases && filers.some((id) => id !== actor.id))
      throw new Refusal('notPermitted');
    return { unfiled: await takeTextsFrom(context, unit, { case: caseId, messageIds: ids }) };
  });
}

/** @returns how many were there */
export async function takeTextsFrom(
  context: ActorContext,
  unit: Unit,
  { case: caseId, messageIds }: Batch,
): Promise<number> {
  const ids = await store.unfileTexts(unit.trx, caseId, messageIds);
  await recordFiling(context, unit, { caseId, ids, action: 'unfiled' });
  return ids.length;
}

async function requireCase(trx: Transaction, caseId: string): Promise<void> {
  if (!(await caseExists(trx, caseId))) throw invalidField('case', 'Please select any case');
}

function requireIds(asked: string[]): string[] {
  const ids = [...new Set(asked)];
  if (!ids.every(isId)) throw invalidField('messageIds', NOT_OWN);
  return ids;
}

type TextFiling = { caseId: string; ids: string[]; action: 'filed' | 'unfiled' };

async function recordFiling(context: ActorContext, unit: Unit, filing: TextFiling): Promise<void> {
  const { caseId, ids, action } = filing;
  if (ids.length === 0) return;
  await unit.recordAll(
    ids.map((entityId) => ({ entity: 'text' as const, entityId, caseId, action })),
  );
  // Before the matter is locked: what listens locks its own rows first.
  await textsFiled.run(context, unit, { ...filing, by: context.actor.id });
  await refreshCase(unit, caseId);
}
