import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { findContactAudience, findSourceReaders } from '../../db/audiences.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { namesOfContact, saveNames } from '../conflicts/names/service.ts';
import type { Said } from './rules.sources.ts';
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
  added: store.NewRow[],
  isChecked = false,
): Promise<void> {
  await store.insertContacts(trx, added);
  const names = added.map(({ id, details }) => namesOfContact({ id, ...details }));
  await saveNames(trx, names, isChecked);
}

/** Updates locked contacts. @param isChecked as of `saveNames` */
export async function updateContacts(
  { trx }: Unit,
  changed: store.NewRow[],
  isChecked = false,
): Promise<void> {
  await store.updateContacts(trx, changed);
  const names = changed.map(({ id, details }) => namesOfContact({ id, ...details }));
  await saveNames(trx, names, isChecked);
}

/** Takes the names of a contact that is deleted, or answers like another. */
export async function dropNames(
  { trx }: Unit,
  id: string,
  sources: { id: string }[] = [],
): Promise<void> {
  const none = { source: 'contacts' as const, names: [] };
  await saveNames(
    trx,
    [{ id }, ...sources].map((one) => ({ ...none, id: one.id })),
  );
}

/** Broadcasts a contact, as the transaction leaves it, to those who see it, each as they see it. */
export function announce(unit: Unit, id: string): void {
  unit.beforeCommit(`contact ${id}`, async () => {
    const row = await store.readForAll(unit.trx, id);
    if (!row) return;
    const everyone = await findContactAudience(unit.trx, id);
    const near = await findSourceReaders<Said>(unit.trx, id);
    for (const { people, said } of near) {
      const userIds = everyone ? people.filter((one) => everyone.userIds.includes(one)) : people;
      unit.emit('contact.updated', store.toContact({ ...row, said }), { audience: { userIds } });
    }
    const except = near.flatMap(({ people }) => people);
    const left = everyone?.userIds.filter((one) => !except.includes(one));
    const audience = left ? { userIds: left } : except.length > 0 ? { except } : undefined;
    unit.emit('contact.updated', store.toContact(row), audience ? { audience } : {});
  });
}

/** Fields of every audit entry about a contact. */
export function about(id: string) {
  return { entity: 'contact', entityId: id } as const;
}
