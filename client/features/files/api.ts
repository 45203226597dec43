import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { call, CallError, download, sessionHeaders } from '../../api.ts';
import type { Dispatch } from '../../app/store.ts';
import { fileGone, folderCame, libraryAsked, libraryCame, libraryFailed } from './slice.ts';

/** Where a file stands. */
export type FileAt = { caseId: string; folder: string; name: string };

const UPLOAD_FAILED = 'Something went wrong, Please try again';

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
      failing: 'The folder was not created',
    });
    dispatch(folderCame({ caseId, folders: Object.keys(files) }));
  };
}

/** Takes a file away; `restoreFile` brings it back. */
export function deleteFile(at: { caseId: string; folder: string; url: string }) {
  return async (dispatch: Dispatch): Promise<void> => {
    const name = nameOf(at.url);
    const params = { caseId: at.caseId, folder: at.folder, name };
    await call(fileRoutes.deleteFile, { params, failing: 'The file was not deleted' });
    dispatch(fileGone({ url: at.url, case: at.caseId, folder: at.folder }));
  };
}

export function restoreFile(url: string) {
  return call(fileRoutes.restoreFile, { body: { url }, failing: 'The file was not restored' });
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

export type Upload = { done: Promise<string[]>; cancel: () => void };

/**
 * Sends one file, telling the share that has left, 0 to 1.
 * @returns `done` rejects with a CallError, or an AbortError after `cancel`
 */
export function uploadFile(
  to: { caseId: string; folder: string },
  file: File,
  onProgress: (share: number) => void,
): Upload {
  const form = new FormData();
  form.set('caseId', to.caseId);
  form.set('folder', to.folder);
  form.set('attachments', file);
  const request = new XMLHttpRequest();
  const done = new Promise<string[]>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () => {
      const reply = parse(request.responseText);
      if (request.status === 201 && reply?.body) resolve(reply.body.urls);
      else reject(new CallError(reply?.message ?? UPLOAD_FAILED, request.status));
    });
    request.addEventListener('error', () => reject(new CallError(UPLOAD_FAILED, 0)));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
  });
  request.open('POST', fileRoutes.uploadFiles.path);
  for (const [name, value] of sessionHeaders()) request.setRequestHeader(name, value);
  request.send(form);
  return { done, cancel: () => request.abort() };
}

function parse(text: string): { message: string; body: { urls: string[] } | null } | undefined {
  try {
    return JSON.parse(text) as { message: string; body: { urls: string[] } | null };
  } catch {
    return undefined;
  }
}
