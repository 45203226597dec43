import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Relation } from '@matterdesk/contract/contacts.ts';
import type { Scoped } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { hasId } from '../../../db/statements.ts';
import { parseFileUrl } from './rules.ts';

/** People to ask about one hidden matter. */
export const MAX_ASKED = 5;
/** Matters of one contact. */
const MAX_MATTERS = 100;
/** Passages of one name. */
const MAX_TEXTS = 20;

export function listCases(db: Scoped, ids: string[]) {
  return db
    .selectFrom('cases')
    .select(['id', 'case_name', 'status_type'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Ids of those cases that the scope's user sees. */
export async function listVisibleCases(db: Scoped, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await listCases(db, ids)).map(({ id }) => id));
}

export function listIntakes(db: Scoped, ids: string[]) {
  return db
    .selectFrom('intakes')
    .leftJoin('users as o', 'o.id', 'intakes.owner_id')
    .select(['intakes.id', 'intakes.number', 'intakes.name', 'intakes.contact_id'])
    .select(['o.id as owner_id', 'o.first_name', 'o.last_name'])
    .where('intakes.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Ids of those intakes that the scope's user sees. */
export async function listVisibleIntakes(db: Scoped, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await listIntakes(db, ids)).map(({ id }) => id));
}

/** Ids of those contacts that the scope's user sees. */
export async function listVisibleContacts(db: Scoped, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

type ContactAddresses = { contact_id: string; emails: string[]; phone_numbers: string[] };

/** Addresses and numbers of these contacts that only walled matters contain. */
export function listWalledAddresses(
  db: Scoped,
  contactIds: string[],
): Promise<(ContactAddresses & { case_id: string })[]> {
  return db
    .selectFrom('walled_sources')
    .select(['contact_id', 'emails', 'phone_numbers'])
    .select(sql<string>`case_id`.as('case_id'))
    .where('contact_id', '=', sql<string>`any(${contactIds}::uuid[])`)
    .execute();
}

/** Addresses and numbers of these contacts that everyone sees. */
export function listSharedAddresses(db: Scoped, contactIds: string[]): Promise<ContactAddresses[]> {
  return db
    .selectFrom('contacts')
    .select(['id as contact_id', 'emails', 'phone_numbers'])
    .where('id', '=', sql<string>`any(${contactIds}::uuid[])`)
    .execute();
}

/** A contact in a matter; without one if it has none. */
export type ContactRole = {
  asked: string;
  /** The asked contact, or one linked to it. */
  contact_id: string;
  name: string;
  relation: Relation | null;
  role: string | null;
  case_id: string | null;
  case_name: string | null;
  status_type: 'Active' | 'Archive' | null;
};

/** Matters of contacts and of those linked to them, active ones first. */
export async function listContactRoles(db: Scoped, contactIds: string[]): Promise<ContactRole[]> {
  if (contactIds.length === 0) return [];
  const { rows } = await sql<ContactRole>`
    select a.id as asked, k.id as contact_id, k.name, o.relation, p.*
    from unnest(${contactIds}::uuid[]) as a (id)
      cross join lateral (
        select a.id, null as relation
        union all
        select case when l.contact_id = a.id then l.linked_id else l.contact_id end, l.relation
        from contact_links l where a.id in (l.contact_id, l.linked_id)) o
      join contacts k on k.id = o.id
      left join lateral (
        select p.role, c.id as case_id, c.case_name, c.status_type
        from parties p join cases c on c.id = p.case_id where p.contact_id = k.id
        order by c.status_type, c.serial desc limit ${MAX_MATTERS}) p on true`.execute(db);
  return rows;
}

export function listFiles(db: Scoped, ids: string[]) {
  return db
    .selectFrom('files as f')
    .innerJoin('folders as d', 'd.id', 'f.folder_id')
    .select(['f.id', 'f.case_id', 'f.name', 'd.name as folder'])
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.deleted_at', 'is', null)
    .execute();
}

/** Trained files whose text contains the words of a name in sequence. */
export async function findInTexts(db: Scoped, name: string) {
  const { rows } = await sql<{ id: string; case_id: string; name: string; folder: string }>`
    select distinct on (f.id) f.id, f.case_id, f.name, d.name as folder
    from passages p
      join trainings t on t.document_id = p.document_id
      join files f on f.id = t.file_id and f.deleted_at is null
      join folders d on d.id = f.folder_id
    where p.tsv @@ phraseto_tsquery('english', ${name})
      and numnode(phraseto_tsquery('english', ${name})) > 0
    order by f.id limit ${MAX_TEXTS}`.execute(db);
  return rows;
}

export async function countTexts(db: Scoped): Promise<number> {
  const { counted } = await db
    .selectFrom('trainings')
    .select(sql<number>`count(*)::int`.as('counted'))
    .executeTakeFirstOrThrow();
  return counted;
}

type Insider = Person & { case_id: string };

/** Active users to ask about each of these cases: those who work on it. */
export async function listInsiders(db: Scoped, caseIds: string[]): Promise<Insider[]> {
  const { rows } = await sql<Insider>`
    select i.case_id, u.id, u.first_name as "firstName", u.last_name as "lastName"
    from unnest(${caseIds}::uuid[]) as asked (id)
      cross join lateral (
        select user_id, case_id, min(position) as position from (
          select a.user_id, a.case_id, a.position from case_assignments a where a.case_id = asked.id
          union all
          select s.user_id, s.case_id, 1000 from case_access s
            where s.case_id = asked.id and s.kind = 'added') p
        where not exists (select from case_access x where x.case_id = p.case_id
          and x.user_id = p.user_id and x.kind = 'screened')
        group by user_id, case_id) i
      join users u on u.id = i.user_id and u.active
    order by i.case_id, i.position, u.last_name, u.id`.execute(db);
  const counts = new Map<string, number>();
  return rows.filter(({ case_id: id }) => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return (counts.get(id) ?? 0) <= MAX_ASKED;
  });
}

export function listPeople(db: Scoped, ids: string[]): Promise<Person[]> {
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Whether this is the URL of a file that the scope's user sees. */
export async function hasFile(db: Scoped, url: string): Promise<boolean> {
  const address = parseFileUrl(url);
  if (!address) return false;
  const found = await db
    .selectFrom('files as f')
    .innerJoin('folders as d', 'd.id', 'f.folder_id')
    .select('f.id')
    .where(hasId('f.case_id', address.caseId))
    .where('d.name_key', '=', fold(address.folder))
    .where('f.name_key', '=', fold(address.name))
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

export function listActivePeople(db: Scoped, ids: string[]): Promise<Person[]> {
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('active', '=', true)
    .execute();
}

/** Parties of a case today. */
export function findParties(db: Scoped, caseId: string) {
  return db
    .selectFrom('cases')
    .select(['client_name', 'client_email', 'client_phone_number'])
    .select(['counsel_name', 'counsel_organization', 'counsel_email', 'counsel_phone_number'])
    .where('id', '=', caseId)
    .executeTakeFirst();
}

/** Parties added to a case, with the details that everyone sees. */
export function listAddedParties(db: Scoped, caseId: string) {
  return db
    .selectFrom('parties as p')
    .innerJoin('contacts as k', 'k.id', 'p.contact_id')
    .select(['p.role', 'k.name', 'k.emails'])
    .select(['k.phone_numbers as phoneNumbers', 'k.other_names as otherNames'])
    .where('p.case_id', '=', caseId)
    .where('p.embedded', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
}

/** People of an intake today. */
export function findIntakeNames(db: Scoped, id: string) {
  return db
    .selectFrom('intakes')
    .select(['name', 'email', 'phone_number', 'parties'])
    .where('id', '=', id)
    .executeTakeFirst();
}
