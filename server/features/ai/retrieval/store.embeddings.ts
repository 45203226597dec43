import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import type { PassageRow } from './store.passages.ts';

type Vectors = { documentId: string; dimensions: number; vectors: Buffer };

/** The vectors of one model; documents without vectors are left out. */
export async function readVectors(
  db: Scoped,
  documentIds: readonly string[],
  model: string,
): Promise<Vectors[]> {
  if (documentIds.length === 0) return [];
  return db
    .selectFrom('embeddings')
    .select(['document_id as documentId', 'dimensions', 'vectors'])
    .where('document_id', 'in', documentIds)
    .where('model', '=', model)
    .execute();
}

export async function hasVectors(db: Scoped, documentId: string, model: string) {
  const found = await db
    .selectFrom('embeddings')
    .select('model')
    .where('document_id', '=', documentId)
    .where('model', '=', model)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertVectors(
  db: Scoped,
  row: { document_id: string; model: string; dimensions: number; vectors: Buffer },
): Promise<void> {
  await db
    .insertInto('embeddings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['document_id', 'model']).doNothing())
    .execute();
}

export async function readPassagesAt(
  db: Scoped,
  places: readonly { key: string; ordinal: number }[],
): Promise<PassageRow[]> {
  const found = await sql<PassageRow & { id: string }>`
    select p.id, p.document_id "documentId", p.ordinal, p.page, p.start_offset "start",
      p.end_offset "end", p.heading, p.location, 0::float8 score,
      true "isFavored"
    from unnest(${places.map((place) => place.key)}::uuid[],
      ${places.map((place) => place.ordinal)}::int[]) as w(document_id, ordinal)
    join passages p using (document_id, ordinal)`.execute(db);
  return found.rows.map((row) => ({ ...row, id: Number(row.id) }));
}
