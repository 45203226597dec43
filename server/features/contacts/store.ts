import { sql, type Selectable } from 'kysely';
import type { Contact, ContactRef, PartyRole } from '@matterdesk/contract/contacts.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import { sendLater } from '../../db/connection.ts';
import type { ContactLinksTable, ContactsTable } from '../../db/schema-contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { nameKey, searchText } from '../../db/search.ts';
import { amongIds, insertMany } from '../../db/statements.ts';
import { combine, type SourceDetails, type Source } from './rules.sources.ts';
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
  | 'fax'
  | 'salutation'
  | 'letter_name'
  | 'date_of_birth'
  | 'notes'
  | 'text_consent'
  | 'is_walled'
  | 'merged_into'
  | 'ranking'
  | 'created_at'
  | 'updated_at';
/** A contact, with the details of those walled matters that are in scope. */
export type ContactRow = Pick<Selectable<ContactsTable>, Columns> & {
  links: Link[];
  said: SourceDetails[];
};

const columns = [
  ...(['id', 'kind', 'name', 'name_key', 'other_names', 'organisation', 'emails'] as const),
  ...(['phone_numbers', 'address', 'fax', 'salutation', 'letter_name'] as const),
  ...(['date_of_birth', 'notes', 'text_consent'] as const),
  ...(['is_walled', 'merged_into', 'ranking', 'created_at', 'updated_at'] as const),
];

const selectLinks = (isForAll: boolean) => sql<Link[]>`coalesce((
  select jsonb_agg(jsonb_build_object('contact',
    jsonb_build_object('id', o.id, 'kind', o.kind, 'name', o.name), 'relation', l.relation)
    order by o.name_key, o.id, l.relation)
  from contact_links l
  join contacts o on o.id in (l.contact_id, l.linked_id) and o.id <> contacts.id
  where contacts.id in (l.contact_id, l.linked_id) and not (${isForAll} and o.is_walled)), '[]')`;

/** A row of sources, `s`, as `SourceDetails`. */
const detailsJson = sql<SourceDetails>`jsonb_build_object('otherNames', s.other_names, 'emails', s.emails,
  'phoneNumbers', s.phone_numbers, 'address', s.address, 'organisation', s.organisation)`;

const walledDetails = (isForAll: boolean) => sql<SourceDetails[]>`coalesce((
  select jsonb_agg(${detailsJson} order by s.serial) from walled_sources s
  where s.contact_id = contacts.id and not ${isForAll}), '[]')`;

/** @param isForAll leaves out what only some readers of the contact see */
export function selectContacts(db: Scoped, { isForAll = false } = {}) {
  return db
    .selectFrom('contacts')
    .select(columns)
    .select(selectLinks(isForAll).as('links'))
    .select(walledDetails(isForAll).as('said'));
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

/** The details that are visible in scope. */
export function toDetails(row: Omit<ContactRow, 'links'>): rules.Details {
  const details = toShared(row);
  return row.said.length === 0
    ? details
    : { ...details, ...combine([details, ...row.said], row.ranking) };
}

/** The details that every reader of the contact sees. */
export function toShared(row: Omit<ContactRow, 'links' | 'said'>): rules.Details {
  return {
    kind: row.kind,
    name: row.name,
    otherNames: row.other_names,
    organisation: row.organisation,
    emails: row.emails,
    phoneNumbers: row.phone_numbers,
    address: row.address,
    fax: row.fax,
    salutation: row.salutation,
    letterName: row.letter_name,
    dateOfBirth: row.date_of_birth,
    notes: row.notes,
    textConsent: row.text_consent,
  };
}

/** Columns of a contact, with those by which it is found. */
function toRow(details: rules.Details) {
  const { name, otherNames, organisation, emails, phoneNumbers, address, fax, notes } = details;
  const numbers = fax === null ? phoneNumbers : [...phoneNumbers, fax];
  const digits = rules.textNumbers({ phoneNumbers: numbers });
  return {
    kind: details.kind,
    name,
    name_key: nameKey(name),
    other_names: otherNames,
    organisation,
    emails,
    phone_numbers: phoneNumbers,
    address,
    fax,
    salutation: details.salutation,
    letter_name: details.letterName,
    date_of_birth: details.dateOfBirth,
    notes,
    keys: rules.keysOf(details),
    search_text: searchText(
      [name, ...otherNames, organisation, ...emails, ...numbers, ...digits, address, notes].map(
        (text) => text ?? '',
      ),
    ),
  };
}

/** The contact, or the one that it was merged into. */
export function findContact(db: Scoped, id: string): Promise<ContactRow | undefined> {
  return selectContacts(db)
    .where('id', '=', sql<string>`answering_contact(${id})`)
    .executeTakeFirst();
}

/** Contacts among these that were not merged. */
export function findContacts(db: Scoped, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(db)
    .where('id', '=', amongIds(ids))
    .where('merged_into', 'is', null)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
}

/** Contacts as every reader sees them, without those that the change hid from its author. */
export function listForAll(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(trx, { isForAll: true }).where('id', '=', amongIds(ids)).execute();
}

/** Locks unmerged contacts in order of id, so that two transactions do not wait for each other. */
export async function lockContacts(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  const rows = await lockAll(trx, ids);
  return rows.filter(({ merged_into: into }) => into === null);
}

/** Locks contacts in order of id, merged ones too. */
export function lockAll(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(trx)
    .where('id', '=', amongIds(ids))
    .orderBy('id')
    .forNoKeyUpdate('contacts')
    .execute();
}

/** A contact to write, with the details that everyone sees. */
export type NewRow = { id: string; details: rules.Details; ranking: string[] };

function toContactColumns({ id, details, ranking }: NewRow) {
  return { id, ...toRow(details), text_consent: details.textConsent, ranking };
}

export async function insertContacts(trx: Transaction, added: NewRow[]): Promise<void> {
  await insertMany(trx, 'contacts', await mapInSlices(added, toContactColumns));
}

/** Updates locked rows in one statement, sent with the transaction's next one. */
export async function updateContacts(trx: Transaction, changed: NewRow[]): Promise<void> {
  const rows = changed.map(toContactColumns);
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

/** Marks a contact as changed, for changes in other tables. */
export async function touchContact(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('contacts')
    .set({
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}

/** @throws a foreign key violation while something refers to it */
export async function deleteContact(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('contacts').where('id', '=', id).execute();
}

export type LinkRow = ContactLinksTable;

/** Links of a contact that the transaction sees. */
export function listLinks(trx: Transaction, id: string): Promise<LinkRow[]> {
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

/** Inserts the links whose contacts still exist. */
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

/** Ids of those contacts that the transaction sees. */
export async function listVisibleContacts(trx: Transaction, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', amongIds(ids))
    .where('merged_into', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** A source, with the contact's role in the matter if it has one. */
export type SourceRow = Source & { contactId: string; role: PartyRole | null };

/** Sources of these contacts: what was entered, and what the matters in scope contain. Oldest first. */
export async function listSources(db: Scoped, contactIds: string[]): Promise<SourceRow[]> {
  const rows = await db
    .selectFrom('contact_sources as s')
    .select(['s.id', 's.contact_id', 's.case_id', 's.is_walled', detailsJson.as('said')])
    .select(
      sql<PartyRole | null>`(select p.role from parties p
        where p.contact_id = s.contact_id and p.case_id = s.case_id
        order by p.embedded nulls last, p.created_at limit 1)`.as('role'),
    )
    .where('s.contact_id', '=', amongIds(contactIds))
    .orderBy(sql`s.case_id is not null`)
    .orderBy('s.serial')
    .execute();
  return rows.map(({ id, contact_id: contactId, case_id: caseId, is_walled, said, role }) => ({
    ...said,
    id,
    contactId,
    caseId,
    role,
    isWalled: is_walled,
  }));
}

/** Ids of the given contacts that have details from one of the given matters. */
export async function listDescribed(
  db: Scoped,
  { ids, by }: { ids: string[]; by: string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('contact_sources')
    .select('contact_id')
    .distinct()
    .where('contact_id', '=', amongIds(ids))
    .where('case_id', '=', amongIds(by))
    .execute();
  return new Set(rows.map(({ contact_id: contactId }) => contactId));
}

/** Ids of contacts with details from a matter. */
export async function listContactsOfSource(db: Scoped, caseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_sources')
    .select('contact_id')
    .where('case_id', '=', caseId)
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

type NewSource = Omit<SourceRow, 'isWalled' | 'role'>;

function toSourceRow(source: NewSource) {
  const { id, contactId, caseId, otherNames, emails, phoneNumbers, address, organisation } = source;
  const digits = rules.textNumbers({ phoneNumbers });
  const searched = [...otherNames, organisation, ...emails, ...phoneNumbers, ...digits, address];
  return {
    id,
    contact_id: contactId,
    case_id: caseId,
    emails,
    address,
    organisation,
    other_names: otherNames,
    phone_numbers: phoneNumbers,
    keys: rules.sourceKeys({ otherNames, emails, phoneNumbers }),
    search_text: searchText(searched.map((text) => text ?? '')),
  };
}

/** Adds or replaces sources, with the transaction's next statement. */
export async function saveSources(trx: Transaction, sources: NewSource[]): Promise<void> {
  if (sources.length === 0) return;
  const given = JSON.stringify(await mapInSlices(sources, toSourceRow));
  const keep = sql`
    insert into contact_sources (id, contact_id, case_id, other_names, emails, phone_numbers, address,
        organisation, keys, search_text)
      select id, contact_id, case_id, other_names, emails, phone_numbers, address, organisation, keys, search_text
        from json_populate_recordset(null::contact_sources, ${given})
      on conflict (contact_id, case_id) do update set other_names = excluded.other_names,
        emails = excluded.emails, phone_numbers = excluded.phone_numbers, address = excluded.address,
        organisation = excluded.organisation, keys = excluded.keys, search_text = excluded.search_text`;
  await sendLater(trx, keep.compile(trx));
}

/** Contacts by the folded names that they alone have. */
export async function findNamed(db: Scoped, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ name_key: string; id: string }>`
    select c.name_key, min(c.id::text) as id from contacts c
    where c.merged_into is null and c.name_key = any(${[...keys]}::text[])
    group by c.name_key having count(*) = 1`.execute(db);
  return new Map(rows.map(({ name_key: key, id }) => [key, id]));
}

/** Each contact, or the one it was merged into, by the requested id. */
export async function findCurrentContacts(
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
