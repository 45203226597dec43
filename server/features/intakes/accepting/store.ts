import { sql } from 'kysely';
import type { Transaction } from '../../../db/schema.ts';

export type MovedFile = {
  key: string;
  name: string;
  size: number;
  sha256: Buffer;
  mimeType: string;
};

/** Takes the files from an intake, for its case. */
export async function takeFiles(trx: Transaction, intakeId: string): Promise<MovedFile[]> {
  const { rows } = await sql<MovedFile>`
    delete from intake_files where intake_id = ${intakeId}
    returning blob_key as key, name, size::float8 as size, sha256, mime_type as "mimeType"`.execute(
    trx,
  );
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The contact that is the client of a case. */
export async function findClient(trx: Transaction, caseId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('parties')
    .select('contact_id')
    .where('case_id', '=', caseId)
    .where('embedded', '=', 'clientInfo')
    .executeTakeFirst();
  return row?.contact_id ?? null;
}
