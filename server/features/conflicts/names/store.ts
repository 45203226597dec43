import { isNewCorrespondent, isUnnamed } from '../../../db/names.ts';
import type { Scoped } from '../../../db/schema.ts';

/** A batch in order of id, after the last id of the batch before. */
type Batch = { after: string; limit: number };

/** Cases whose names are missing. */
export async function listUnnamedCases(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('cases as c')
    .select(['c.id', 'c.case_name', 'c.judge', 'c.managing_attorney'])
    .select(['c.client_name', 'c.client_phone_number', 'c.client_email'])
    .select(['c.counsel_organization', 'c.counsel_name'])
    .select(['c.counsel_phone_number', 'c.counsel_email'])
    .where('c.id', '>', after)
    .where(isUnnamed('caseNames', 'c.id'))
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

export async function listUnnamedUsers(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('users as u')
    .select(['u.id', 'u.first_name', 'u.last_name', 'u.email', 'u.phone_number'])
    .where('u.id', '>', after)
    .where(isUnnamed('people', 'u.id'))
    .orderBy('u.id')
    .limit(limit)
    .execute();
}

export async function listUnnamedFiles(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('files as f')
    .select(['f.id', 'f.case_id', 'f.name'])
    .where('f.deleted_at', 'is', null)
    .where('f.id', '>', after)
    .where(isUnnamed('fileNames', 'f.id'))
    .orderBy('f.id')
    .limit(limit)
    .execute();
}

export async function listUnnamedContacts(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('contacts as c')
    .select(['c.id', 'c.name', 'c.other_names as otherNames', 'c.organisation'])
    .select(['c.emails', 'c.phone_numbers as phoneNumbers'])
    .where('c.merged_into', 'is', null)
    .where('c.id', '>', after)
    .where(isUnnamed('contacts', 'c.id'))
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

/** Details of contacts that come from walled matters. */
export async function listUnnamedSources(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('walled_sources as s')
    .innerJoin('contacts as c', 'c.id', 's.contact_id')
    .leftJoin('parties as p', (join) =>
      join
        .onRef('p.case_id', '=', 's.case_id')
        .onRef('p.contact_id', '=', 's.contact_id')
        .on('p.embedded', 'is not', null),
    )
    .distinctOn('s.id')
    .select(['s.id', 's.case_id as caseId', 's.is_walled as isWalled', 'c.name', 'p.role'])
    .select(['s.other_names as otherNames', 's.organisation'])
    .select(['s.emails', 's.phone_numbers as phoneNumbers'])
    .where('c.merged_into', 'is', null)
    .where('s.id', '>', after)
    .where(isUnnamed('contacts', 's.id'))
    .orderBy('s.id')
    .limit(limit)
    .execute();
}

export async function listUnnamedIntakes(db: Scoped, { after, limit }: Batch) {
  return db
    .selectFrom('intakes as i')
    .select(['i.id', 'i.name', 'i.email', 'i.phone_number as phoneNumber', 'i.parties'])
    .select(['i.case_id as caseId', 'i.is_spam as isSpam'])
    .where('i.is_spam', '=', false)
    .where('i.id', '>', after)
    .where(isUnnamed('intakes', 'i.id'))
    .orderBy('i.id')
    .limit(limit)
    .execute();
}

/** Numbers of conversations that have no name yet. */
export async function listNewCorrespondents(db: Scoped, limit: number) {
  return db
    .selectFrom('conversations as v')
    .select(['v.owner_id', 'v.other_number'])
    .where(isNewCorrespondent('v.owner_id', 'v.other_number'))
    .limit(limit)
    .execute();
}

type UnnamedCase = Awaited<ReturnType<typeof listUnnamedCases>>[number];
type UnnamedUser = Awaited<ReturnType<typeof listUnnamedUsers>>[number];

export function toNamedCase(row: UnnamedCase) {
  return {
    id: row.id,
    caseName: row.case_name,
    judge: row.judge,
    managingAttorney: row.managing_attorney,
    clientInfo: {
      name: row.client_name,
      phoneNumber: row.client_phone_number,
      email: row.client_email,
      address: '',
    },
    opposingCounselInfo: {
      organization: row.counsel_organization,
      name: row.counsel_name,
      phoneNumber: row.counsel_phone_number,
      email: row.counsel_email,
      address: '',
    },
  };
}

export function toNamedUser(row: UnnamedUser) {
  const { id, first_name: firstName, last_name: lastName, email, phone_number } = row;
  return { id, firstName, lastName, email, phoneNumber: phone_number };
}
