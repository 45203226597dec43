import type { Scoped } from '../../db/schema.ts';
import * as rules from './rules.ts';
import { findKnown } from './store.lookalikes.ts';
import { toDetails } from './store.ts';

export type Caller = { name: string; email: string | null; phoneNumber: string | null };
/** A contact, and what it has in common with a caller: 'phone', 'e-mail' or 'name', the surest of them. */
export type KnownContact = { id: string; name: string; same: string };

const SURENESS = ['phone', 'e-mail', 'name'];

/** Contacts that the person in scope sees and that may be this caller, the surest first. */
export async function listKnown(
  db: Scoped,
  { name, email, phoneNumber }: Caller,
): Promise<KnownContact[]> {
  const caller = {
    name,
    otherNames: [],
    emails: email === null ? [] : [email],
    phoneNumbers: phoneNumber === null ? [] : [phoneNumber],
  };
  const keys = rules.lookalikeKeys(caller);
  const rows = await findKnown(db, { addresses: rules.addressKeys(caller), all: keys });
  return rows
    .map((row) => ({ id: row.id, name: row.name, same: rules.sharedBy(keys, toDetails(row)) }))
    .toSorted((a, b) => SURENESS.indexOf(a.same) - SURENESS.indexOf(b.same));
}
