import { sql } from 'kysely';
import type {
  ContactRef,
  Embedding,
  MatterOfContact,
  Party,
} from '@matterdesk/contract/contacts.ts';
import { isId } from '../../core/ids.ts';
import { sendLater } from '../../db/connection.ts';
import type { PartyRow } from '../../db/schema-contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { amongIds, anyLength, insertMany } from '../../db/statements.ts';
import type { Copies } from './rules.copies.ts';
import { selectContacts, type ContactRow } from './store.ts';

/** A party with its contact's name. */
export type NamedParty = PartyRow & { contact: ContactRef };

/** Matters on a card. */
const MAX_MATTERS = 500;

function named(db: Scoped) {
  return db
    .selectFrom('parties as p')
    .innerJoin('contacts as c', 'c.id', 'p.contact_id')
    .selectAll('p')
    .select(
      sql<ContactRef>`jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name)`.as('contact'),
    );
}

export function toParty({ id, contact, role, note, embedded }: NamedParty): Party {
  return { id, contact, role, note, embedded };
}

/** The case's own parties first, then in the order in which they were added; those that came at once by their names. */
export function listParties(db: Scoped, caseId: string): Promise<NamedParty[]> {
  return named(db)
    .where('p.case_id', '=', caseId)
    .orderBy(sql`p.embedded nulls last`)
    .orderBy('p.created_at')
    .orderBy('c.name_key')
    .orderBy('p.id')
    .execute();
}

export type Place = { caseId: string; partyId: string };

export function findParty(db: Scoped, { caseId, partyId }: Place): Promise<NamedParty | undefined> {
  return named(db).where('p.case_id', '=', caseId).where('p.id', '=', partyId).executeTakeFirst();
}

export function lockParty(
  trx: Transaction,
  { caseId, partyId }: Place,
): Promise<NamedParty | undefined> {
  return named(trx)
    .where('p.case_id', '=', caseId)
    .where('p.id', '=', partyId)
    .forUpdate('p')
    .executeTakeFirst();
}

/** The party that follows a part of the case. */
export function findEmbedded(
  trx: Transaction,
  caseId: string,
  embedded: Embedding,
): Promise<PartyRow | undefined> {
  return trx
    .selectFrom('parties')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('embedded', '=', embedded)
    .executeTakeFirst();
}

/** Contacts that follow parts of these cases, by case and part. */
export async function listEmbedded(
  trx: Transaction,
  caseIds: string[],
): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('parties')
    .select(['case_id', 'embedded', 'contact_id'])
    .where('case_id', '=', amongIds(caseIds))
    .where('embedded', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [`${row.case_id} ${row.embedded}`, row.contact_id]));
}

type NewParty = Omit<PartyRow, 'created_at'>;

export async function insertParties(trx: Transaction, rows: NewParty[]): Promise<void> {
  await insertMany(trx, 'parties', rows);
}

export async function updateParty(
  trx: Transaction,
  id: string,
  change: Partial<Pick<PartyRow, 'role' | 'note' | 'contact_id'>>,
): Promise<void> {
  if (Object.keys(change).length > 0)
    await trx.updateTable('parties').set(change).where('id', '=', id).execute();
}

export async function deleteParty(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('parties').where('id', '=', id).execute();
}

/** Removes a contact's other party in a role of a case, before one that follows the case takes its place. */
export async function deleteOtherParty(
  trx: Transaction,
  { case_id, role }: Pick<PartyRow, 'case_id' | 'role'>,
  contactId: string,
): Promise<void> {
  await trx
    .deleteFrom('parties')
    .where('case_id', '=', case_id)
    .where('role', '=', role)
    .where('contact_id', '=', contactId)
    .where('embedded', 'is', null)
    .execute();
}

/** Newest first. */
export async function listMatters(db: Scoped, contactId: string): Promise<MatterOfContact[]> {
  const rows = await db
    .selectFrom('parties as p')
    .innerJoin('cases as m', 'm.id', 'p.case_id')
    .select(['p.role', 'p.embedded', 'm.id', 'm.case_name', 'm.case_no'])
    .select(['m.status_type', 'm.status', 'm.managing_attorney'])
    .where('p.contact_id', '=', contactId)
    .orderBy('m.status_type')
    .orderBy('m.serial', 'desc')
    .orderBy('p.role')
    .limit(MAX_MATTERS)
    .execute();
  return rows.map(({ role, embedded, ...row }) => ({
    case: {
      id: row.id,
      caseName: row.case_name,
      caseNo: row.case_no,
      statusType: row.status_type,
      status: row.status,
      managingAttorney: row.managing_attorney,
    },
    role,
    embedded,
  }));
}

/** Locks cases before their contacts, as changes of cases do. @returns ids of those that the transaction sees */
export async function lockCases(trx: Transaction, ids: string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('cases')
    .select('id')
    .where('id', '=', amongIds(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Parts of these cases that a contact follows. */
export function listCopies(trx: Transaction, contactId: string, caseIds: string[]) {
  return trx
    .selectFrom('parties')
    .select(['case_id', 'embedded'])
    .where('contact_id', '=', contactId)
    .where('case_id', '=', amongIds(caseIds))
    .where('embedded', 'is not', null)
    .orderBy('case_id')
    .execute();
}

/** Serializes adding contacts with these names, with the transaction's next statement. */
export async function lockNames(trx: Transaction, names: string[]): Promise<void> {
  const keys = [...new Set(names)].toSorted().map((name) => `matterdesk.contact ${name}`);
  await sendLater(
    trx,
    sql`select pg_advisory_xact_lock(k) from (
      select hashtextextended(n, 0) as k from unnest(${keys}::text[]) n order by 1) s`.compile(trx),
  );
}

type Match = Pick<ContactRow, 'id'> & { ref: number };
type SameQuery = { ref: number; name: string; addresses: string[]; keys: string[] };

/** Finds the oldest contact for each name with one of the addresses; includes walled matters in scope. */
export async function findSame(trx: Transaction, wanted: SameQuery[]): Promise<Match[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<Match>`
    select w.ref, c.id
    from unnest(${anyLength(sql`${wanted.map((one) => JSON.stringify(one))}::json[]`)}) as each (one),
      json_to_record(each.one) as w (ref int, name text, addresses text[], keys text[])
    cross join lateral (
      select answering_contact(f.id) as id from (
        select k.id, k.created_at from contacts k where k.keys && w.keys
        union all
        select k.id, k.created_at from walled_sources s join contacts k on k.id = s.contact_id
          where s.keys && w.addresses and k.name_key = w.name) f
      order by f.created_at, f.id limit 1) found
    join contacts c on c.id = found.id`.execute(trx);
  return rows;
}

/** Contacts among these that the transaction sees. */
export function findChosen(trx: Transaction, ids: string[]): Promise<ContactRow[]> {
  return selectContacts(trx)
    .where('id', '=', amongIds(ids))
    .where('merged_into', 'is', null)
    .execute();
}

type BareCase = Copies & { serial: string };

/** Locks cases above a serial that lack a client among their parties, or whose client lacks their details. */
export async function listUnparted(
  trx: Transaction,
  { after, limit }: { after: string; limit: number },
): Promise<BareCase[]> {
  const rows = await trx
    .selectFrom('cases as c')
    .select(['c.id', 'c.serial', 'c.client_name', 'c.client_phone_number', 'c.client_email'])
    .select(['c.client_address', 'c.counsel_organization', 'c.counsel_name'])
    .select(['c.counsel_phone_number', 'c.counsel_email', 'c.counsel_address'])
    .select(['c.access', 'c.is_walled'])
    .where('c.serial', '>', after)
    .where(
      sql<boolean>`not exists (select from parties p join contact_sources s
        on s.case_id = c.id and s.contact_id = p.contact_id
        where p.case_id = c.id and p.embedded = 'clientInfo')`,
    )
    .orderBy('c.serial')
    .limit(limit)
    // Weaker than for a deletion, so that rows which refer to the case are added meanwhile.
    .forNoKeyUpdate('c')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    serial: row.serial,
    ...(row.is_walled && { access: row.access }),
    clientInfo: {
      name: row.client_name,
      phoneNumber: row.client_phone_number,
      email: row.client_email,
      address: row.client_address,
    },
    opposingCounselInfo: {
      organization: row.counsel_organization,
      name: row.counsel_name,
      phoneNumber: row.counsel_phone_number,
      email: row.counsel_email,
      address: row.counsel_address,
    },
  }));
}

/** Whether the case exists for the scope's user. */
export async function caseExists(db: Scoped, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const row = await db.selectFrom('cases').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
