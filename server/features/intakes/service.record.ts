// An intake's record: found, locked, and saved with its activity, audit entry and event.

import type { EventName } from '@matterdesk/contract/events.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { IntakeChange } from '../../db/schema-intakes.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { liftScope } from '../../db/scoped-query.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Audience } from '../../realtime/publisher.ts';
import { namesOfIntake, saveNames } from '../conflicts/names/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Change = {
  change: IntakeChange;
  entries?: store.NewEntry[];
  /** The action in the audit log. */
  action?: string;
};

/** @throws Refusal notFound */
export async function requireIntake(db: Scoped, id: string): Promise<store.ShownRow> {
  const row = isId(id) ? await store.findIntake(db, id) : undefined;
  if (!row) throw notFound('Intake');
  return row;
}

/** Locks the intake until the transaction ends. @throws Refusal notFound */
export async function lockIntake(trx: Transaction, id: string): Promise<store.IntakeRow> {
  const row = isId(id) ? await store.lockIntake(trx, id) : undefined;
  if (!row) throw notFound('Intake');
  return row;
}

/** Updates a locked intake and adds to its activity. */
export async function saveIntake(
  unit: Unit,
  before: store.IntakeRow,
  { change, entries: added = [], action = 'updated' }: Change,
): Promise<Intake> {
  const { id } = before;
  const merged = { ...before, ...change } as store.IntakeRow;
  // The driver would write an array where the column is JSON.
  const { parties, ...others } = change;
  const list = parties && { parties: JSON.stringify(parties) };
  await store.updateIntake(unit.trx, id, { ...others, ...list, ...rules.searchColumn(merged) });
  await store.insertEntries(unit.trx, id, added);
  await saveIntakeNames(unit, merged);
  // Names of the columns only: the values stay out of the log.
  const members = Object.keys(change).toSorted();
  const logged = Object.fromEntries(members.map((member) => [member, 0]));
  await unit.record({ ...rules.about(id), action, after: logged });
  const seen = await store.findIntake(unit.trx, id);
  // A change of the owner may take it from the reader who made it.
  await liftScope(unit.trx, 'a reader who hands an intake on still gets the reply');
  const after = seen ?? (await store.findIntake(unit.trx, id));
  if (!after) throw notFound('Intake');
  const isShown = !after.is_spam || !before.is_spam;
  if (isShown) await emitIntake(unit, 'intake.updated', after);
  return store.toIntake(after);
}

/** Reports progress of an intake's conflict check. @param entry for its activity */
export async function noteCheck(
  unit: Unit,
  id: string,
  entry?: { by: string | null; text: string },
): Promise<void> {
  if (entry) await store.insertEntries(unit.trx, id, [{ ...entry, kind: 'check' }]);
  const row = await store.findIntake(unit.trx, id);
  if (row) await emitIntake(unit, 'intake.updated', row);
}

/** Makes the people of an intake searchable by conflict checks. */
export async function saveIntakeNames({ trx }: Unit, row: store.IntakeRow): Promise<void> {
  const { id, name, email, phone_number: phoneNumber, parties } = row;
  const { case_id: caseId, is_spam: isSpam } = row;
  const intake = { id, name, email, phoneNumber, parties, caseId, isSpam };
  await saveNames(trx, [namesOfIntake(intake)]);
}

type IntakeEvent = Extract<EventName, 'intake.created' | 'intake.updated'>;

/** Broadcasts an intake to everyone who may see it; not its contact, where some of them may not know it. */
export async function emitIntake(unit: Unit, name: IntakeEvent, row: store.ShownRow) {
  const shown = row.contact_is_walled === true ? { ...row, contact_id: null } : row;
  unit.emit(name, store.toIntake(shown), { audience: await audienceOf(unit.trx, row) });
}

async function audienceOf(trx: Transaction, row: store.ShownRow): Promise<Audience> {
  const { added, screened: except } = row.is_walled
    ? await store.findListeners(trx, row.id)
    : { added: [], screened: [] };
  const ownersOf = row.access === 'open' ? [row.owner_id, row.entered_by] : [row.owner_id];
  const userIds = [...ownersOf.filter((id) => id !== null), ...added];
  return row.access === 'open'
    ? { userIds, permission: 'handleIntakes', except }
    : { userIds, except };
}

/** An entry for an intake's activity. */
export function newEntry(
  actor: Actor | null,
  kind: store.NewEntry['kind'],
  text: string | null = null,
): store.NewEntry {
  return { by: actor?.id ?? null, kind, text };
}

/** @throws Refusal conflict unless the newest concluded check of each name cleared it */
export async function requireCleared(trx: Transaction, row: store.IntakeRow): Promise<void> {
  if (!rules.isCleared(row, await store.listConcluded(trx, row.id))) throw rules.checkPending();
}
