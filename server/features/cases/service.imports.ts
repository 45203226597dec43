// Cases that an import opens, changes and removes, many at once.

import type { Case, CasePatch, UnfiledCase } from '@matterdesk/contract/cases.ts';
import type { ActorContext } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { nowAt } from '../../core/dates.ts';
import { Refusal } from '../../core/refusal.ts';
import { removeCases } from '../../db/cases.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { type Assignable, requireAssignable } from '../accounts/service.ts';
import { addNames, namesOfCase, saveNames } from '../conflicts/names/service.ts';
import { importCaseParties, type KnownContact } from '../contacts/service.parties.ts';
import { importUndoableLimitations } from '../deadlines/service.limitations.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { about, applyCaseChange } from './service.ts';
import * as imports from './store.imports.ts';
import * as store from './store.ts';

const WHY = 'case numbers are unique among all matters';

export type ImportedCase = Omit<UnfiledCase, 'assignedUsers' | 'contacts'> & {
  /** Ids of active users. */
  assigned: readonly string[];
  client: KnownContact;
};

/** Opens cases that are not filed yet. @returns their ids in order, and the contacts that were added */
export async function importUnfiledCases(
  context: ActorContext,
  unit: Unit,
  cases: readonly ImportedCase[],
): Promise<{ ids: string[]; contacts: KnownContact[] }> {
  const now = new Date();
  const added = await toRows(context, unit, { cases, now });
  const filled = await store.insertCases(unit.trx, added);
  if (filled.length < added.length) throw new Refusal('conflict', 'A case number was just taken');
  const opened = added.flatMap((one, at) => {
    const given = filled[at];
    return given ? [store.toCase(store.toNewRow(one, given), now)] : [];
  });
  await addNames(unit.trx, opened.flatMap(namesOfCase));
  await unit.recordAll(opened.map((one) => ({ ...about(one), action: 'imported', after: one })));
  const limited = opened.flatMap(({ SOL, ...one }) => (SOL === null ? [] : [{ ...one, SOL }]));
  await importUndoableLimitations(context, unit, limited);
  const parted = opened.flatMap((matter, at) => {
    const client = cases[at]?.client;
    return client ? [{ matter, client }] : [];
  });
  const contacts = await importCaseParties(unit, parted);
  return { ids: opened.map(({ id }) => id), contacts };
}

async function toRows(
  context: ActorContext,
  unit: Unit,
  { cases, now }: { cases: readonly ImportedCase[]; now: Date },
) {
  const { timeZone } = await readFirm(context);
  const { day: today } = nowAt(now, timeZone);
  const attorney = fullName(context.actor);
  const ids = [...new Set(cases.flatMap(({ assigned }) => assigned))];
  const users = await requireAssignable(unit.trx, { ids, path: 'assignedUsers' });
  const byId = new Map<string, Assignable>(users.map((user) => [user.id, user]));
  return cases.map(({ assigned, client: _client, ...input }) => {
    const asked = { ...input, assignedUsers: [] };
    const filled = rules.fillUnfiled(asked, { today, attorney });
    return {
      row: rules.toUnfiledRow(filled, now),
      assigned: assigned.flatMap((id) => byId.get(id) ?? []),
    };
  });
}

/** Cases by a number or a name that they alone have; keys are folded. */
export function findCasesNamed(db: Scoped, keys: readonly string[]): Promise<Map<string, string>> {
  return imports.findNamed(db, keys);
}

/** Visible cases by their numbers, by place. */
export async function findCasesNumbered(
  db: Scoped,
  numbers: readonly (string | null)[],
): Promise<Map<number, string>> {
  const keys = numbers.map((number) => (number === null ? null : fold(number)));
  const wanted = keys.filter((key) => key !== null);
  const found = await imports.findNumbered(db, [...new Set(wanted)]);
  return new Map(
    keys.flatMap((key, place) => {
      const id = key === null ? undefined : found.get(key);
      return id === undefined ? [] : [[place, id] as const];
    }),
  );
}

/** Folded case numbers of cases that the actor does not see. */
export async function hiddenNumbers(
  { db, actor }: ActorContext,
  numbers: readonly string[],
): Promise<Set<string>> {
  const taken = await store.takenCaseNumbers(db.asSystem(WHY), [...numbers]);
  if (taken.size === 0) return taken;
  const visible = await store.takenCaseNumbers(db.as(actor), [...numbers]);
  return taken.difference(visible);
}

/** Locked for the transaction. */
export async function lockImportedCases(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, Case>> {
  const now = new Date();
  const rows = await imports.lockCases(trx, ids);
  return new Map(rows.map((row) => [row.id, store.toCase(row, now)]));
}

export async function changeImportedCase(
  context: ActorContext,
  unit: Unit,
  change: { id: string; patch: CasePatch },
): Promise<void> {
  await applyCaseChange(context, unit, change);
}

/**
 * Removes cases with what belongs to nothing else.
 * @throws a foreign key violation while something refers to one
 */
export async function removeImportedCases(unit: Unit, ids: readonly string[]): Promise<void> {
  const names = ids.flatMap((id) => [
    { source: 'parties' as const, id, names: [] },
    { source: 'caseNames' as const, id, names: [] },
  ]);
  await saveNames(unit.trx, names);
  await removeCases(unit.trx, ids);
  await unit.recordAll(
    ids.map((id) => ({ entity: 'case', entityId: id, action: 'deleted' }) as const),
  );
}
