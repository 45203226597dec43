import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { fold } from '../db/search.ts';
import type { DocumentsTable } from '../db/schema.ts';
import type { TestApp } from './app.ts';

type Planted = {
  caseId: string;
  userId: string;
  folder: string;
  name: string;
  /** A text per page; a blank line ends a passage. */
  pages: string[];
  status?: DocumentsTable['status'];
  error?: string;
};

/** A file whose document appears trained. */
export async function plantDocument(app: TestApp, planted: Planted): Promise<string> {
  const { pages, status = 'ready' } = planted;
  const fileId = await plantFile(app, planted);
  const { id } = await app.db
    .insertInto('documents')
    .values({
      sha256: createHash('sha256').update(randomUUID()).digest(),
      kind: 'text',
      version: 1,
      status,
      pages: pages.length,
      characters: pages.join('').length,
      error: planted.error ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const training = { file_id: fileId, document_id: id, requested_by: planted.userId };
  await app.db.insertInto('trainings').values(training).execute();
  let start = 0;
  let ordinal = 0;
  for (const [at, text] of pages.entries()) {
    const row = { document_id: id, page: at + 1, start_offset: start, text };
    await app.db.insertInto('document_pages').values(row).execute();
    for (const match of text.matchAll(/(?:[^\n]|\n(?!\n))+/g)) {
      const [from, to] = [start + match.index, start + match.index + match[0].length];
      await sql`insert into passages
        (document_id, ordinal, page, start_offset, end_offset, heading, tsv) values (${id}, ${ordinal},
          ${at + 1}, ${from}, ${to}, '', to_tsvector('english', ${match[0]}))`.execute(app.db);
      ordinal += 1;
    }
    start += text.length;
  }
  return id;
}

async function plantFile(app: TestApp, { caseId, userId, folder, name }: Planted) {
  await app.db
    .insertInto('folders')
    .values({ case_id: caseId, name: folder, name_key: fold(folder) })
    .onConflict((conflict) => conflict.columns(['case_id', 'name_key']).doNothing())
    .execute();
  const place = await app.db
    .selectFrom('folders')
    .select('id')
    .where('case_id', '=', caseId)
    .where('name_key', '=', fold(folder))
    .executeTakeFirstOrThrow();
  const { id } = await app.db
    .insertInto('files')
    .values({
      case_id: caseId,
      folder_id: place.id,
      name,
      name_key: fold(name),
      size: 1,
      mime_type: 'text/plain',
      sha256: Buffer.alloc(32),
      blob_key: randomUUID(),
      uploaded_by: userId,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
