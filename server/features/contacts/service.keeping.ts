import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { findContactAudience } from '../../db/audiences.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { namesOfContact, saveNames } from '../conflicts/names/service.ts';
import type { Details } from './rules.ts';
import * as store from './store.ts';

/** @throws Refusal notFound */
export async function requireContact(db: Scoped, id: string): Promise<store.ContactRow> {
  const row = isId(id) ? await store.findContact(db, id) : undefined;
  if (!row) throw notFound('Contact');
  return row;
}

/** Adds contacts with the names that conflict checks find. @param isChecked as of `saveNames` */
export async function addContacts(
  { trx }: Unit,
  added: { id: string; details: Details }[],
  isChecked = false,
): Promise<void> {
  await store.insertContacts(trx, added);
  const names = added.map(({ id, details }) => namesOfContact({ id, ...details }));
  await saveNames(trx, names, isChecked);
}

/** Updates a locked contact. */
export function updateContact(unit: Unit, id: string, details: Details): Promise<void> {
  return updateContacts(unit, [{ id, details }]);
}

/** Updates locked contacts. @param isChecked as of `saveNames` */
export async function updateContacts(
  { trx }: Unit,
  changed: { id: string; details: Details }[],
  isChecked = false,
): Promise<void> {
  await store.updateContacts(trx, changed);
  const names = changed.map(({ id, details }) => namesOfContact({ id, ...details }));
  await saveNames(trx, names, isChecked);
}

/** Takes the names of a contact that is deleted, or answers like another. */
export async function dropNames({ trx }: Unit, id: string): Promise<void> {
  await saveNames(trx, [{ source: 'contacts', id, names: [] }]);
}

/** Broadcasts a contact, as the transaction leaves it, to those who see it. */
export async function announce(unit: Unit, id: string): Promise<void> {
  const row = await store.readForAll(unit.trx, id);
  if (!row) return;
  const audience = await findContactAudience(unit.trx, id);
  unit.emit('contact.updated', store.toContact(row), audience ? { audience } : {});
}

/** Fields of every audit entry about a contact. */
export function about(id: string) {
  return { entity: 'contact', entityId: id } as const;
}
