// Contacts and parties that an import adds, changes and removes, many at once.

import { randomUUID } from 'node:crypto';
import type { ContactPatch, NewContact, PartyRole } from '@matterdesk/contract/contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { nameKey } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { kindOfName } from './rules.copies.ts';
import * as rules from './rules.ts';
import type { KnownContact } from './service.parties.ts';
import { about, addEnteredContacts, dropNames, saveEditedContact } from './service.sources.ts';
import * as parties from './store.parties.ts';
import * as store from './store.ts';

export type ContactDetails = rules.Details;

/** Details as they are kept: lists without repetitions. */
export function toDetails(input: ContactPatch & Pick<NewContact, 'kind' | 'name'>): ContactDetails {
  return rules.toDetails(input);
}

export { kindOfName };

/** Keys that the same contact shares with these details, if it shares any. */
export const sameKeys = rules.sameKeys;
export const emailKey = rules.emailKey;
export const numberKey = rules.numberKey;

/** @returns their ids in order */
export async function importContacts(
  unit: Unit,
  contacts: readonly ContactDetails[],
): Promise<string[]> {
  const added = contacts.map((details) => ({ id: randomUUID(), details }));
  await addEnteredContacts(unit, added);
  await unit.recordAll(
    added.map(({ id, details }) => ({ ...about(id), action: 'imported', after: details })),
  );
  return added.map(({ id }) => id);
}

/** Contacts by the folded names that they alone have. */
export function findContactsNamed(
  db: Scoped,
  keys: readonly string[],
): Promise<Map<string, string>> {
  return store.findNamed(db, keys);
}

/** The oldest contact with the same name and an address or number in common, by place. */
export async function findSameContacts(
  db: Scoped,
  described: readonly ContactDetails[],
): Promise<Map<number, string>> {
  const wanted = described.flatMap((details, ref) => {
    const keys = rules.sameKeys(details);
    const name = nameKey(details.name);
    return keys.length === 0 ? [] : [{ ref, name, addresses: rules.addressKeys(details), keys }];
  });
  const found = await parties.findSame(db as Transaction, wanted);
  return new Map(found.map(({ ref, id }) => [ref, id]));
}

/** Details of contacts, or of those that these were merged into, by the ids asked for. */
export async function findImportedContacts(
  db: Scoped,
  ids: readonly string[],
): Promise<Map<string, KnownContact>> {
  const found = await store.findCurrentContacts(db, ids);
  return new Map(
    [...found].map(([asked, row]) => [asked, { id: row.id, details: store.toDetails(row) }]),
  );
}

/** Locked for the transaction; those that were merged or deleted are left out. */
export async function lockImportedContacts(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, ContactDetails>> {
  const rows = await store.lockContacts(trx, [...ids]);
  return new Map(rows.map((row) => [row.id, store.toDetails(row)]));
}

export async function changeImportedContact(
  unit: Unit,
  id: string,
  change: ContactPatch,
): Promise<void> {
  const [row] = await store.lockContacts(unit.trx, [id]);
  if (!row) return;
  const before = store.toDetails(row);
  await saveEditedContact(unit, row, { before, after: rules.toDetails(change, before) });
  await unit.record({ ...about(id), action: 'updated', after: change });
}

/** @throws a foreign key violation while something refers to one */
export async function removeImportedContacts(unit: Unit, ids: readonly string[]): Promise<void> {
  const sources = await store.listSources(unit.trx, [...ids]);
  const byContact = Map.groupBy(sources, ({ contactId }) => contactId);
  for (const id of ids) await dropNames(unit, id, byContact.get(id));
  await store.deleteContacts(unit.trx, ids);
  await unit.recordAll(ids.map((id) => ({ ...about(id), action: 'deleted' })));
}

export type ImportedParty = { caseId: string; contactId: string; role: PartyRole; note: string };

/** @returns their ids in order */
export async function importParties(
  unit: Unit,
  added: readonly ImportedParty[],
): Promise<string[]> {
  const rows = added.map(({ caseId, contactId, role, note }) => {
    const place = { case_id: caseId, contact_id: contactId };
    return { id: randomUUID(), ...place, role, note, embedded: null };
  });
  await parties.insertParties(unit.trx, rows);
  await unit.recordAll(rows.map((row) => ({ ...aboutParty(row), action: 'imported', after: row })));
  return rows.map(({ id }) => id);
}

function aboutParty({ id, case_id: caseId }: { id: string; case_id: string }) {
  return { entity: 'party', entityId: id, caseId } as const;
}

/** Parties of the same matter, contact and role, by place. */
export function findSameParties(
  db: Scoped,
  asked: readonly ImportedParty[],
): Promise<Map<number, string>> {
  return store.findParties(
    db,
    asked.map(({ caseId, contactId, role }) => ({ case_id: caseId, contact_id: contactId, role })),
  );
}

/** Locked for the transaction. */
export async function lockImportedParties(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, { role: PartyRole; note: string }>> {
  const rows = await store.lockParties(trx, ids);
  return new Map(rows.map(({ id, role, note }) => [id, { role, note }]));
}

/** Changes a party; the role of one that the case itself names stays. */
export async function changeImportedParty(
  unit: Unit,
  id: string,
  { role, note }: { role?: PartyRole; note?: string },
): Promise<void> {
  const [row] = await store.lockParties(unit.trx, [id]);
  if (!row) return;
  const change = {
    ...(note !== undefined && { note }),
    ...(role !== undefined && row.embedded === null && { role }),
  };
  await parties.updateParty(unit.trx, id, change);
  await unit.record({ ...aboutParty(row), action: 'updated', after: change });
}

export async function removeImportedParties(unit: Unit, ids: readonly string[]): Promise<void> {
  const rows = await store.lockParties(unit.trx, ids);
  await store.deleteParties(unit.trx, ids);
  await unit.recordAll(rows.map((row) => ({ ...aboutParty(row), action: 'deleted' })));
}
