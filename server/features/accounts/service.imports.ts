// Imports people of other systems as inactive users, who cannot sign in.

import { randomUUID } from 'node:crypto';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { namesOfUser, saveNames } from '../conflicts/names/service.ts';
import { about } from './service.ts';
import * as store from './store.ts';

type ImportedPerson = Omit<Person, 'id'> & { email: string };

export function listEveryone({ db }: Context): Promise<store.ListedUser[]> {
  return store.listEveryone(db);
}

/** Adds users who have left. @returns their ids in order */
export async function importPeople(
  unit: Unit,
  people: readonly ImportedPerson[],
): Promise<string[]> {
  const added = people.map((person) => ({ ...person, id: randomUUID() }));
  await store.insertInactive(unit.trx, added);
  await saveNames(
    unit.trx,
    added.map((one) => namesOfUser({ ...one, phoneNumber: '' })),
  );
  await unit.recordAll(
    added.map((one) => {
      const { firstName, lastName, email } = one;
      return { ...about(one), action: 'imported', after: { firstName, lastName, email } };
    }),
  );
  return added.map(({ id }) => id);
}

/** Locked for the transaction. */
export function lockImportedPeople(
  trx: Transaction,
  ids: readonly string[],
): Promise<store.ListedUser[]> {
  return store.lockPeople(trx, ids);
}

/** Changes names and addresses of users who have left; others change their own. */
export async function changeImportedPerson(
  unit: Unit,
  id: string,
  change: Partial<ImportedPerson>,
): Promise<void> {
  const [before] = await store.lockPeople(unit.trx, [id]);
  if (!before || before.active) return;
  const after = { ...before, ...change };
  await store.updateName(unit.trx, after);
  await saveNames(unit.trx, [namesOfUser({ ...after, phoneNumber: '' })]);
  await unit.record({ ...about(before), action: 'updated', before, after });
}

/** @throws a foreign key violation while something refers to one */
export async function removeImportedPeople(unit: Unit, ids: readonly string[]): Promise<void> {
  const none = { source: 'people' as const, names: [] };
  await saveNames(
    unit.trx,
    ids.map((id) => ({ ...none, id })),
  );
  await store.deletePeople(unit.trx, ids);
  await unit.recordAll(ids.map((id) => ({ ...about({ id }), action: 'deleted' })));
}
