import type { Scoped } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import { withPlace } from './store.ts';

/** Undeleted files with this document. */
export function listFilesOfDocument(db: Scoped, documentId: string) {
  return withPlace(db)
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .execute();
}

/** Undeleted files with this document, and who had them trained. */
export function listTrained(db: Scoped, documentId: string) {
  return db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select(['files.id', 'files.case_id', 'files.name', 'trainings.requested_by'])
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .execute();
}

type Untrained = { caseId: string; folder?: string | undefined; limit: number };

/** Undeleted files of a case or folder whose training was never requested, by their content. */
export function listUntrained(db: Scoped, { caseId, folder, limit }: Untrained) {
  const all = withPlace(db)
    .where('files.case_id', '=', caseId)
    .where('files.deleted_at', 'is', null)
    .where('trainings.file_id', 'is', null);
  const wanted = folder === undefined ? all : all.where('folders.name_key', '=', fold(folder));
  return wanted.orderBy('files.sha256').orderBy('files.id').limit(limit).execute();
}

export function listNew(db: Scoped, ids: readonly string[]) {
  return withPlace(db)
    .where('files.id', 'in', ids)
    .orderBy('files.sha256')
    .orderBy('files.id')
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
