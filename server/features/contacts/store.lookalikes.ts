import { sql } from 'kysely';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { selectContacts, type ContactRow } from './store.ts';

/** More candidates than are shown, since some share a number of their firm alone. */
const CANDIDATES = 50;

/** By what everyone sees, or what a walled matter in scope says. */
function sharing(db: Scoped, keys: string[]) {
  return selectContacts(db)
    .where('merged_into', 'is', null)
    .where(
      sql<boolean>`id = any(array(
        select k.id from contacts k where k.keys && ${keys}::text[]
        union select s.contact_id from walled_sources s where s.keys && ${keys}::text[]))`,
    );
}

/** Contacts of the same kind that share a key, without those that someone said are not the same. */
export function findLookalikes(
  db: Scoped,
  { id, kind }: Pick<ContactRow, 'id' | 'kind'>,
  keys: string[],
): Promise<ContactRow[]> {
  return sharing(db, keys)
    .where('id', '<>', id)
    .where('kind', '=', kind)
    .where(
      sql<boolean>`not exists (select from distinct_contacts d
        where d.one_id = least(contacts.id, ${id}::uuid) and d.other_id = greatest(contacts.id, ${id}::uuid))`,
    )
    .limit(CANDIDATES)
    .execute();
}

/** Contacts that are shown beside someone who calls. */
const KNOWN = 10;

/** Contacts that share a key with a caller: those with the same addresses first, which a common name would hide. */
export function findKnown(
  db: Scoped,
  { addresses, all }: { addresses: string[]; all: string[] },
): Promise<ContactRow[]> {
  return sharing(db, all)
    .orderBy(
      sql`keys && ${addresses}::text[] or exists (select from walled_sources s
        where s.contact_id = contacts.id and s.keys && ${addresses}::text[])`,
      'desc',
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(KNOWN)
    .execute();
}

/** @returns false when that was said before */
export async function keepApart(trx: Transaction, ids: [string, string]): Promise<boolean> {
  const [one_id = '', other_id = ''] = ids.toSorted();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('distinct_contacts')
    .values({ one_id, other_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
