import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { findContactAudience } from '../../db/audiences.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as store from './store.ts';

/** @throws Refusal notFound */
export async function requireContact(db: Scoped, id: string): Promise<store.ContactRow> {
  const row = isId(id) ? await store.findContact(db, id) : undefined;
  if (!row) throw notFound('Contact');
  return row;
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
