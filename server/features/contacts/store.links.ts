import { sql } from 'kysely';
import type { ContactLinksTable } from '../../db/schema-contacts.ts';
import type { Transaction } from '../../db/schema.ts';

export type LinkRow = ContactLinksTable;

/** Those that the transaction sees. */
export function linksOf(trx: Transaction, id: string): Promise<LinkRow[]> {
  return trx
    .selectFrom('contact_links')
    .selectAll()
    .where((eb) => eb.or([eb('contact_id', '=', id), eb('linked_id', '=', id)]))
    .execute();
}

export async function deleteLinks(trx: Transaction, links: LinkRow[]): Promise<void> {
  for (const { contact_id, linked_id, relation } of links)
    await trx
      .deleteFrom('contact_links')
      .where('contact_id', '=', contact_id)
      .where('linked_id', '=', linked_id)
      .where('relation', '=', relation)
      .execute();
}

/** Those whose contacts are still there. */
export async function insertLinks(trx: Transaction, links: LinkRow[]): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into contact_links (contact_id, linked_id, relation)
    select l.contact_id, l.linked_id, l.relation
    from json_to_recordset(${JSON.stringify(links)}) as l (contact_id uuid, linked_id uuid, relation text)
    where exists (select from contacts c where c.id = l.contact_id)
      and exists (select from contacts c where c.id = l.linked_id)
    on conflict do nothing`.execute(trx);
}

/** Ids among these of contacts that the transaction sees. */
export async function visibleContacts(trx: Transaction, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .where('merged_into', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
