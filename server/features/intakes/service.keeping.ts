import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { EventName } from '@matterdesk/contract/events.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { IntakeChange } from '../../db/schema-intakes.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { liftScope } from '../../db/scoped-query.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Audience } from '../../realtime/publisher.ts';
import { namesOfIntake, saveNames } from '../conflicts/names/service.ts';
import { about, derived } from './rules.ts';
import * as entries from './store.entries.ts';
import * as store from './store.ts';

type Change = {
  change: IntakeChange;
  entries?: entries.NewEntry[];
  /** What the audit log calls it. */
  action?: string;
};

/** @throws Refusal notFound */
export async function requireIntake(db: Scoped, id: string): Promise<store.ShownRow> {
  const row = isId(id) ? await store.findIntake(db, id) : undefined;
  if (!row) throw notFound('Intake');
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockIntake(trx: Transaction, id: string): Promise<store.IntakeRow> {
  const row = isId(id) ? await store.lockIntake(trx, id) : undefined;
  if (!row) throw notFound('Intake');
  return row;
}

/** Changes a locked intake, with its entries, its audit row and its event. */
export async function keepIntake(
  unit: Unit,
  before: store.IntakeRow,
  { change, entries: added = [], action = 'updated' }: Change,
): Promise<Intake> {
  const { id } = before;
  const merged = { ...before, ...change } as store.IntakeRow;
  // The driver would write an array where the column is JSON.
  const { parties, ...others } = change;
  const list = parties && { parties: JSON.stringify(parties) };
  await store.updateIntake(unit.trx, id, { ...others, ...list, ...derived(merged) });
  await entries.insertEntries(unit.trx, id, added);
  await nameIntake(unit, merged);
  const members = Object.keys(change).toSorted();
  await unit.record({
    ...about(id),
    action,
    after: Object.fromEntries(members.map((n) => [n, 0])),
  });
  // A change of the owner may take it from the reader who made it.
  await liftScope(unit.trx, 'a reader who hands an intake on still gets the reply');
  const after = await store.findIntake(unit.trx, id);
  if (!after) throw notFound('Intake');
  const isShown = !after.is_spam || !before.is_spam;
  if (isShown) await announceIntake(unit, 'intake.updated', after);
  return store.toIntake(after);
}

/** Shows those who see an intake what became of its conflict check. @param entry for its activity */
export async function noteCheck(
  unit: Unit,
  id: string,
  entry?: { by: string | null; text: string },
): Promise<void> {
  if (entry) await entries.insertEntries(unit.trx, id, [{ ...entry, kind: 'check' }]);
  const row = await store.findIntake(unit.trx, id);
  if (row) await announceIntake(unit, 'intake.updated', row);
}

/** Lets conflict checks find the people of an intake. */
export async function nameIntake({ trx }: Unit, row: store.IntakeRow): Promise<void> {
  const { id, name, email, phone_number: phoneNumber, parties } = row;
  const { case_id: caseId, is_spam: isSpam } = row;
  const intake = { id, name, email, phoneNumber, parties, caseId, isSpam };
  await saveNames(trx, [namesOfIntake(intake)]);
}

type IntakeEvent = Extract<EventName, 'intake.created' | 'intake.updated'>;

/** Reports an intake to those who may see it. */
export async function announceIntake(unit: Unit, name: IntakeEvent, row: store.ShownRow) {
  unit.emit(name, store.toIntake(row), { audience: await audienceOf(unit.trx, row) });
}

async function audienceOf(trx: Transaction, row: store.ShownRow): Promise<Audience> {
  const { added, screened: except } = row.is_walled
    ? await entries.findListeners(trx, row.id)
    : { added: [], screened: [] };
  const near = row.access === 'open' ? [row.owner_id, row.entered_by] : [row.owner_id];
  const userIds = [...near.filter((id) => id !== null), ...added];
  return row.access === 'open'
    ? { userIds, permission: 'handleIntakes', except }
    : { userIds, except };
}

/** A note of its author, in the activity. */
export function entryOf(
  actor: Actor | null,
  kind: entries.NewEntry['kind'],
  text: string | null = null,
): entries.NewEntry {
  return { by: actor?.id ?? null, kind, text };
}
