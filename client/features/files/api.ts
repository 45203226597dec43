import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { call, download } from '../../api.ts';
import type { Dispatch } from '../../core/store.ts';
import { uploadFile as send, type Upload } from '../../core/upload.ts';
import { fileGone, folderCame, libraryAsked, libraryCame, libraryFailed } from './slice.ts';
import type { FileAt } from './rules.shown.ts';

/** Reads the library of a case into the store. */
export function loadLibrary(caseId: string) {
  return async (dispatch: Dispatch): Promise<void> => {
    dispatch(libraryAsked(caseId));
    try {
      const library = await call(fileRoutes.listFiles, { params: { caseId }, toasts: 'none' });
      dispatch(libraryCame({ caseId, library }));
    } catch {
      dispatch(libraryFailed(caseId));
    }
  };
}

/** @throws CallError, for the field to say why */
export function createFolder(caseId: string, folder: string) {
  return async (dispatch: Dispatch): Promise<void> => {
    const { files } = await call(fileRoutes.createFolder, {
      body: { caseId, folder },
      failing: 'Couldn’t create the folder',
    });
    dispatch(folderCame({ caseId, folders: Object.keys(files) }));
  };
}

/** Takes a file away; `restoreFile` brings it back. */
export function deleteFile(at: { caseId: string; folder: string; url: string }) {
  return async (dispatch: Dispatch): Promise<void> => {
    const name = nameOf(at.url);
    const params = { caseId: at.caseId, folder: at.folder, name };
    await call(fileRoutes.deleteFile, { params, failing: 'Couldn’t delete the file' });
    dispatch(fileGone({ url: at.url, case: at.caseId, folder: at.folder }));
  };
}

export function restoreFile(url: string) {
  return call(fileRoutes.restoreFile, { body: { url }, failing: 'Couldn’t restore the file' });
}

/** One page of what was read out of a file. */
export function readText(at: FileAt, page: number, signal: AbortSignal) {
  return call(fileRoutes.readText, { params: at, query: { page }, signal, toasts: 'none' });
}

/**
 * All that a file holds.
 * @throws CallError, without a toast
 */
export async function readBytes(at: FileAt, signal: AbortSignal): Promise<Blob> {
  const { blob } = await download(fileRoutes.readContent, { params: at, signal, toasts: 'none' });
  return blob;
}

/** Asks for a file's training; `status` says whether it is queued. */
export function train({ caseId, folder, name }: FileAt) {
  const body = { case_id: caseId, folder_to_download: folder, file_name: name };
  return call(aiRoutes.train, { body, toasts: 'none' });
}

/** How a file stands with its training: 201, 202, 404 or 500. */
export function checkTraining({ caseId, folder, name }: FileAt, signal?: AbortSignal) {
  const body = { case_id: caseId, folder, file_name: name };
  return call(aiRoutes.check, { body, toasts: 'none', ...(signal && { signal }) });
}

/** The last segment of a file's address. */
export function nameOf(url: string): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}

/** Sends one file, telling the share that has left, 0 to 1. */
export function uploadFile(
  to: { caseId: string; folder: string },
  file: File,
  onProgress: (share: number) => void,
): Upload<{ urls: string[] }> {
  return send(fileRoutes.uploadFiles, { file, fields: to, onProgress });
}
