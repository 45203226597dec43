import type { Scoped } from '../../db/schema.ts';
import { withPlace } from './store.ts';

/** Undeleted files with this document. */
export function listFilesOfDocument(db: Scoped, documentId: string) {
  return withPlace(db)
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .execute();
}

/** @returns undefined before training; `text` null for a missing page */
export async function findPage(db: Scoped, fileId: string, page: number) {
  return db
    .selectFrom('trainings')
    .innerJoin('documents', 'documents.id', 'trainings.document_id')
    .leftJoin('document_pages', (join) =>
      join
        .onRef('document_pages.document_id', '=', 'documents.id')
        .on('document_pages.page', '=', page),
    )
    .select(['documents.pages', 'document_pages.start_offset', 'document_pages.text'])
    .where('trainings.file_id', '=', fileId)
    .where('documents.status', '=', 'ready')
    .executeTakeFirst();
}
