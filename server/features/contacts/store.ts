import { sql, type Selectable } from 'kysely';
import type { Contact, ContactRef } from '@matterdesk/contract/contacts.ts';
import { sendLater } from '../../db/connection.ts';
import { insertMany } from '../../db/statements.ts';
import type { ContactLinksTable, ContactsTable } from '../../db/schema-contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import { together, type Said } from './rules.sources.ts';
import * as rules from './rules.ts';

type Link = { contact: ContactRef; relation: ContactLinksTable['relation'] };
type Columns =
  | 'id'
  | 'kind'
  | 'name'
  | 'name_key'
  | 'other_names'
  | 'organisation'
  | 'emails'
  | 'phone_numbers'
  | 'address'
  | 'date_of_birth'
  | 'notes'
  | 'text_consent'
  | 'is_walled'
  | 'merged_into'
  | 'ranking'
  | 'created_at'
  | 'updated_at';
/** With what those of its walled matters say that are in scope. */
export type ContactRow = Pick<Selectable<ContactsTable>, Columns> & { links: Link[]; said: Said[] };

const columns = [
  ...(['id', 'kind', 'name', 'name_key', 'other_names', 'organisation', 'emails'] as const),
  ...(['phone_numbers', 'address', 'date_of_birth', 'notes', 'text_consent'] as const),
  ...(['is_walled', 'merged_into', 'ranking', 'created_at', 'updated_at'] as const),
];

const linksOf = (isForAll: boolean) => sql<Link[]>`coalesce((
  select jsonb_agg(jsonb_build_object('contact',
    jsonb_build_object('id', o.id, 'kind', o.kind, 'name', o.name), 'relation', l.relation)
    order by o.name_key, o.id, l.relation)
  from contact_links l
  join contacts o on o.id in (l.contact_id, l.linked_id) and o.id <> contacts.id
  where contacts.id in (l.contact_id, l.linked_id) and not (${isForAll} and o.is_walled)), '[]')`;

/** What a row of sources says, as `Said`. */
export const saidBy = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<Said>`jsonb_build_object('otherNames', ${column('other_names')}, 'emails', ${column('emails')},
    'phoneNumbers', ${column('phone_numbers')}, 'address', ${column('address')},
    'organisation', ${column('organisation')})`;
};

const saidOf = (isForAll: boolean) => sql<Said[]>`coalesce((
  select jsonb_agg(${saidBy('s')} order by s.serial) from walled_sources s
  where s.contact_id = contacts.id and not ${isForAll}), '[]')`;

/** @param isForAll without what only some of those see who see the contact */
export function selectContacts(db: Scoped, { isForAll = false } = {}) {
  return db
    .selectFrom('contacts')
    .select(columns)
    .select(linksOf(isForAll).as('links'))
    .select(saidOf(isForAll).as('said'));
}

export function toContact(row: ContactRow): Contact {
  return {
    id: row.id,
    ...toDetails(row),
    links: row.links,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** As those in scope see it. */
export function toDetails(row: Omit<ContactRow, 'links'>): rules.Details {
  const details = toShared(row);
  return row.said.length === 0
    ? details
    : { ...details, ...together([details, ...row.said], row.ranking) };
}

/** What everyone sees who sees the contact. */
export function toShared(row: Omit<ContactRow, 'links' | 'said'>): rules.Details {
  return {
    kind: row.kind,
    name: row.name,
    otherNames: row.other_names,
    organisation: row.organisation,
    emails: row.emails,
    phoneNumbers: row.phone_numbers,
    address: row.address,
    dateOfBirth: row.date_of_birth,
    notes: row.notes,
    textConsent: row.text_consent,
  };
}

/** With the columns by which it is found. */
function toRow(details: rules.Details) {
  const { name, otherNames, organisation, emails, phoneNumbers, address, notes } = details;
  const digits = rules.textNumbers(details);
  return {
    kind: details.kind,
    name,
    name_key: rules.nameKey(name),
    other_names: otherNames,
    organisation,
    emails,
    phone_numbers: phoneNumbers,
    address,
    date_of_birth: details.dateOfBirth,
    notes,
    keys: rules.keysOf(details),
    search_text: searchText(
      [
        name,
        ...otherNames,
        organisation,
        ...emails,
        ...phoneNumbers,
        ...digits,
        address,
        notes,
      ].map((text) => text ?? ''),
    ),
  };
}

/** The contact, or the one that it answers like. */
export function findContact(db: Scoped, id: string): Promise<ContactRow | undefined> {
  return selectContacts(db)
    .where('id', '=', sql<string>`answering_contact(${id})`)
    .executeTakeFirst();
}

/** As everyone sees it who sees it at all; undefined when the change hid it from its author. */
export function readForAll(trx: Transaction, id: string): Promise<ContactRow | undefined> {
  return selectContacts(trx, { isForAll: true }).where('id', '=', id).executeTakeFirst();
}

/** In the order of their ids, so that two transactions do not wait for each other; none that were merged. */
export async function lockContacts(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  const rows = await lockAll(trx, ids);
  return rows.filter(({ merged_into: into }) => into === null);
}

/** The same with those that were merged. */
export function lockAll(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(trx)
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate('contacts')
    .execute();
}

/** With what everyone sees. */
export type NewRow = { id: string; details: rules.Details; ranking: string[] };

function toStored({ id, details, ranking }: NewRow) {
  return { id, ...toRow(details), text_consent: details.textConsent, ranking };
}

export async function insertContacts(trx: Transaction, added: NewRow[]): Promise<void> {
  await insertMany(trx, 'contacts', added.map(toStored));
}

/** Updates locked rows, as one statement, sent with the transaction's next one. */
export async function updateContacts(trx: Transaction, changed: NewRow[]): Promise<void> {
  const rows = changed.map(toStored);
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).filter((column) => column !== 'id');
  const set = columns.map((column) => sql`${sql.id(column)} = given.${sql.id(column)}`);
  const update = sql`
    update contacts k set ${sql.join(set)},
      updated_at = greatest(clock_timestamp(), k.updated_at + interval '1 millisecond')
    from json_populate_recordset(null::contacts, ${JSON.stringify(rows)}) given
    where k.id = given.id`;
  await sendLater(trx, update.compile(trx));
}

/** After a change that is in another table. */
export async function touchContact(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('contacts')
    .set({
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}

/** @throws a violated foreign key while something refers to it */
export async function deleteContact(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('contacts').where('id', '=', id).execute();
}
