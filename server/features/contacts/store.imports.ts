import { sql } from 'kysely';
import type { PartyRole } from '@matterdesk/contract/contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { type ContactRow, selectContacts } from './store.ts';

/** Contacts by the folded names that they alone have. */
export async function findNamed(db: Scoped, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ name_key: string; id: string }>`
    select c.name_key, min(c.id::text) as id from contacts c
    where c.merged_into is null and c.name_key = any(${[...keys]}::text[])
    group by c.name_key having count(*) = 1`.execute(db);
  return new Map(rows.map(({ name_key: key, id }) => [key, id]));
}

/** Each contact, or the one it was merged into, by the requested id. */
export async function findAnswering(
  db: Scoped,
  ids: readonly string[],
): Promise<Map<string, ContactRow>> {
  const { rows } = await sql<{ asked: string; id: string }>`
    select a.id as asked, answering_contact(a.id) as id from unnest(${[...ids]}::uuid[]) as a (id)
    `.execute(db);
  const found = await selectContacts(db)
    .where('id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  return new Map(
    rows.flatMap(({ asked, id }) => {
      const row = byId.get(id);
      return row ? [[asked, row] as const] : [];
    }),
  );
}

export type PartyPlace = { case_id: string; contact_id: string; role: PartyRole };

/** Parties by the places of what was asked. */
export async function findParties(
  db: Scoped,
  asked: readonly PartyPlace[],
): Promise<Map<number, string>> {
  if (asked.length === 0) return new Map();
  const rows = asked.map((one, place) => ({ ...one, place }));
  const { rows: found } = await sql<{ place: number; id: string }>`
    select a.place, p.id
    from json_to_recordset(${JSON.stringify(rows)}) as a (place int, case_id uuid, contact_id uuid, role text)
    join parties p on p.case_id = a.case_id and p.contact_id = a.contact_id and p.role = a.role
    `.execute(db);
  return new Map(found.map(({ place, id }) => [place, id]));
}

export type PartyRow = {
  id: string;
  case_id: string;
  role: PartyRole;
  note: string;
  embedded: string | null;
};

export function lockParties(trx: Transaction, ids: readonly string[]): Promise<PartyRow[]> {
  return trx
    .selectFrom('parties')
    .select(['id', 'case_id', 'role', 'note', 'embedded'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function deleteParties(trx: Transaction, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('parties')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
}

/** @throws a foreign key violation while something refers to one */
export async function deleteContacts(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`delete from contacts where id = any(${[...ids]}::uuid[])`.execute(trx);
}
