// Documents that were made from templates for matters.

import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Missing } from '@matterdesk/contract/templates.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { personJson } from '../../db/statements.ts';

type Place = { folder: string; name: string };
export type DocumentRow = {
  id: string;
  at: Date;
  template_id: string;
  version: number;
  /** Null once it is deleted, as the PDF. */
  file: Place | null;
  pdf: Place | null;
  by: Person;
  missing: Missing[];
  contact_id: string | null;
  data_sha256: Buffer;
};

const placeOf = (column: 'file_id' | 'pdf_file_id') => sql<Place | null>`(
  select json_build_object('folder', d.name, 'name', f.name)
  from files f join folders d on d.id = f.folder_id
  where f.id = l.${sql.ref(column)} and f.deleted_at is null)`;

/** Newest first. @param after the time and the id of the last one before */
export async function listDocuments(
  db: Scoped,
  caseId: string,
  { limit, after }: { limit: number; after: string[] | undefined },
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select l.id, l.at, l.template_id, l.version, l.missing, l.data_sha256,
      ${personJson('u')} as by,
      ${placeOf('file_id')} as file, ${placeOf('pdf_file_id')} as pdf,
      (select c.id from contacts c where c.id = l.contact_id) as contact_id
    from letters l join users u on u.id = l.by_id
    where l.case_id = ${caseId}
      ${after ? sql`and (l.at, l.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by l.at desc, l.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countDocuments(db: Scoped, caseId: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from letters l where l.case_id = ${caseId} limit ${most}) l`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Ids of new files by the keys of their bytes. */
export async function findFileIds(
  trx: Transaction,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('files')
    .select(['id', 'blob_key'])
    .where('blob_key', '=', sql<string>`any(${keys})`)
    .execute();
  return new Map(rows.map(({ id, blob_key: key }) => [key, id]));
}

export type NewLetter = {
  case_id: string;
  template_id: string;
  version: number;
  file_id: string;
  pdf_file_id: string | null;
  contact_id: string | null;
  by_id: string;
  data_sha256: Buffer;
  missing: string;
};

export async function insertLetters(trx: Transaction, rows: NewLetter[]): Promise<void> {
  await trx.insertInto('letters').values(rows).execute();
}
