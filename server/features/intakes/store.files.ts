import { sql, type Insertable } from 'kysely';
import { intakeFileUrl, type IntakeFile } from '@matterdesk/contract/intakes.ts';
import type { IntakeFilesTable } from '../../db/schema-intakes.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';

/** Files in order of arrival, and by name within one upload. */
export async function listFiles(db: Scoped, intakeId: string): Promise<IntakeFile[]> {
  const rows = await db
    .selectFrom('intake_files as f')
    .leftJoin('users as u', 'u.id', 'f.uploaded_by')
    .select(['f.name', 'f.size', 'f.mime_type', 'f.created_at', 'f.uploaded_by'])
    .select(['u.first_name', 'u.last_name'])
    .where('f.intake_id', '=', intakeId)
    .orderBy('f.created_at')
    .orderBy('f.name_key')
    .execute();
  return rows.map(({ name, size, mime_type: mimeType, created_at: at, ...who }) => ({
    url: intakeFileUrl(intakeId, name),
    name,
    size: Number(size),
    mimeType,
    uploadedAt: at.toISOString(),
    uploadedBy:
      who.uploaded_by !== null && who.first_name !== null && who.last_name !== null
        ? { id: who.uploaded_by, firstName: who.first_name, lastName: who.last_name }
        : null,
  }));
}

export async function takenNames(trx: Transaction, intakeId: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('intake_files')
    .select('name_key')
    .where('intake_id', '=', intakeId)
    .execute();
  return new Set(rows.map((row) => row.name_key));
}

export async function insertFiles(
  trx: Transaction,
  rows: Omit<Insertable<IntakeFilesTable>, 'name_key'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('intake_files')
    .values(rows.map((row) => ({ ...row, name_key: fold(row.name), created_at: sql`now()` })))
    .execute();
}

export function findFile(db: Scoped, intakeId: string, name: string) {
  return db
    .selectFrom('intake_files')
    .select(['id', 'name', 'size', 'mime_type', 'blob_key'])
    .where('intake_id', '=', intakeId)
    .where('name_key', '=', fold(name))
    .executeTakeFirst();
}

/** Removes rows and records their bytes as pending for the next sweep. @param of.name all files if undefined */
export async function deleteFiles(
  trx: Transaction,
  of: { intakeId: string; name?: string | undefined; owner: string },
): Promise<void> {
  const name = of.name === undefined ? null : fold(of.name);
  await sql`
    with removed as (
      delete from intake_files
      where intake_id = ${of.intakeId} and (${name}::text is null or name_key = ${name})
      returning blob_key)
    insert into pending_blobs (blob_key, owner) select blob_key, ${of.owner} from removed`.execute(
    trx,
  );
}

export type MovedFile = {
  key: string;
  name: string;
  size: number;
  sha256: Buffer;
  mimeType: string;
};

/** Removes an accepted intake's files and returns them for its case. */
export async function takeFiles(trx: Transaction, intakeId: string): Promise<MovedFile[]> {
  const { rows } = await sql<MovedFile>`
    delete from intake_files where intake_id = ${intakeId}
    returning blob_key as key, name, size::float8 as size, sha256, mime_type as "mimeType"`.execute(
    trx,
  );
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
