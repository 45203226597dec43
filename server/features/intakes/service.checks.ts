// What intakes ask of conflict checks and contacts.

import { invalidField } from '../../core/refusal.ts';
import { isId } from '../../core/ids.ts';
import type { Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import * as store from './store.checks.ts';
import type { IntakeRow } from './store.ts';

/** Whether the newest concluded check that asked for it cleared each of the intake's names. */
export async function isIntakeCleared(
  trx: Transaction,
  { id, name, parties }: IntakeRow,
): Promise<boolean> {
  const concluded = await store.listConcluded(trx, id);
  return [name, ...parties.map((party) => party.name)].every((each) => {
    const last = concluded.find(({ names }) => names.some((asked) => isSame(asked, each)));
    return last !== undefined && last.outcome !== 'declined';
  });
}

/** @returns the contact that this one answers like @throws Refusal invalidInput for an unknown contact */
export async function requireIntakeContact(
  trx: Transaction,
  id: string,
  path = 'referredTo',
): Promise<string> {
  const found = isId(id) ? await store.findContact(trx, id) : undefined;
  if (found === undefined) throw invalidField(path, 'Please select any contact');
  return found;
}

function isSame(asked: store.AskedOf, name: string): boolean {
  return [asked.name, ...asked.otherNames].some((each) => fold(each.trim()) === fold(name.trim()));
}
