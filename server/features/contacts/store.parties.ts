import { sql } from 'kysely';
import type {
  ContactRef,
  Embedding,
  MatterOfContact,
  Party,
} from '@matterdesk/contract/contacts.ts';
import { insertMany } from '../../db/statements.ts';
import type { PartyRow } from '../../db/schema-contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';

/** A party with its contact's name. */
export type NamedParty = PartyRow & { contact: ContactRef };

/** Most matters on a card. */
const MATTERS = 500;

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

/** The case's own first, then in the order in which they came. */
export function listParties(db: Scoped, caseId: string): Promise<NamedParty[]> {
  return named(db)
    .where('p.case_id', '=', caseId)
    .orderBy(sql`p.embedded nulls last`)
    .orderBy('p.created_at')
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

/** The party that is a part of the case. */
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

/** Contacts that are parts of these cases, by case and part. */
export async function listEmbedded(
  trx: Transaction,
  caseIds: string[],
): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('parties')
    .select(['case_id', 'embedded', 'contact_id'])
    .where('case_id', '=', sql<string>`any(${caseIds}::uuid[])`)
    .where('embedded', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [`${row.case_id} ${row.embedded}`, row.contact_id]));
}

export type NewParty = Omit<PartyRow, 'created_at'>;

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

/** Removes a contact's other party in a role of a case, before one that is part of the case takes its place. */
export async function makeRoom(
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
    .limit(MATTERS)
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

/** Locks cases before their contacts, as changes of cases do. @returns those that the transaction sees */
export async function lockCases(trx: Transaction, ids: string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('cases')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The parts of these cases that a contact is. */
export function embeddedIn(trx: Transaction, contactId: string, caseIds: string[]) {
  return trx
    .selectFrom('parties')
    .select(['case_id', 'embedded'])
    .where('contact_id', '=', contactId)
    .where('case_id', '=', sql<string>`any(${caseIds})`)
    .where('embedded', 'is not', null)
    .orderBy('case_id')
    .execute();
}
