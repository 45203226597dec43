// The document library of a matter and the previews of its files.

import { aiRoutes } from '@matterdesk/contract/ai.ts';
import {
  type FileEvent,
  type FilePatch,
  fileRoutes,
  fileVersionRoutes,
  trainingRoutes,
} from '@matterdesk/contract/files.ts';
import { call, CallError, download } from '../../api.ts';
import { nameOfUrl } from '../../core/file-link.ts';
import { actedOnCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import type { Resource } from '../../core/resource.ts';
import type { Dispatch } from '../../core/store.ts';
import { uploadFile as send, type Upload } from '../../core/upload.ts';
import type { Cited } from '../../ui/highlight.ts';
import { toast } from '../../ui/toast-store.ts';
import type { FileAt } from './rules.preview.ts';
import { markOnPage } from './rules.ts';
import {
  contents,
  fileDeleted,
  fileReceived,
  foldersAdded,
  libraries,
  passages,
  searches,
  texts,
  versions,
} from './slice.ts';

const FOUND_AT_ONCE = 50;

/** The files of a case by folder. */
export const caseLibrary = libraries.fetchedBy((caseId, { read }) =>
  read(fileRoutes.listFiles, { params: { caseId } }),
);

/** The files of a case whose names and texts contain every word of a search. */
export const foundFiles = searches.fetchedBy(({ caseId, search }, { read, cursor }) =>
  read(fileRoutes.searchFiles, { query: { caseId, search, limit: FOUND_AT_ONCE, cursor } }),
);

/** A page of the text that training extracted from a file. */
export const pageText = texts.fetchedBy(({ page, version, ...at }, { read }) =>
  read(fileRoutes.readText, { params: at, query: { page, version } }),
);

/** The versions of a file, newest first. */
export const fileVersions = versions.fetchedBy(async ({ caseId, folder, name }, { read }) => {
  const params = { caseId, folder, name };
  return (await read(fileVersionRoutes.listVersions, { params })).versions;
});

export const citedPassage = passages.fetchedBy(
  async ({ page, passage, sentence, version, ...at }, { read }) => {
    const found: [number, Cited][] = [];
    let [number, last] = [page, page];
    for (; number <= last; number += 1) {
      const query = { page: number, version };
      const text = await read(fileRoutes.readText, { params: at, query });
      const part = markOnPage(passage, text);
      const marked = sentence ? markOnPage(sentence, text) : null;
      if (part) found.push([number, { text: text.text, passage: part, sentence: marked }]);
      if (passage.end > text.start + text.text.length && number < text.pages) last = number + 1;
    }
    return found;
  },
);

/**
 * The content of a file for its viewer, downloaded once.
 * @param make throws when the file cannot be shown
 */
export function fileReader<Made>(make: (file: Blob) => Made | Promise<Made>) {
  // Each kind of file has a single viewer, so one resource serves all.
  const own = contents as unknown as Resource<FileAt, Made>;
  return own.fetchedBy(async ({ version, paper, ...at }, { signal }) => {
    const quiet = { signal, toasts: 'none' } as const;
    const { blob } = await (paper === undefined
      ? download(fileRoutes.readContent, { params: at, query: { version }, ...quiet })
      : download({ ...fileRoutes.readContent, path: paper }, quiet));
    try {
      return await make(blob);
    } catch {
      throw new CallError('It seems to be damaged.', 0);
    }
  });
}

/** @throws CallError, for the field to show */
export function createFolder(caseId: string, folder: string) {
  return async (dispatch: Dispatch): Promise<void> => {
    const { files } = await call(fileRoutes.createFolder, {
      body: { caseId, folder },
      failing: 'Couldn’t create the folder',
    });
    dispatch(foldersAdded({ caseId, folders: Object.keys(files) }));
    dispatch(actedOnCase(caseId));
  };
}

/** Deletes a file; `restoreFile` undoes this. */
export function deleteFile(at: { caseId: string; folder: string; url: string }) {
  return async (dispatch: Dispatch): Promise<void> => {
    const name = nameOfUrl(at.url);
    const params = { caseId: at.caseId, folder: at.folder, name };
    await call(fileRoutes.deleteFile, { params, failing: 'Couldn’t delete the file' });
    dispatch(fileDeleted({ url: at.url, case: at.caseId, folder: at.folder }));
  };
}

/** Renames or moves a file, and offers to put it back. */
export function placeFile(at: FileAt, patch: FilePatch) {
  return async (dispatch: Dispatch): Promise<void> => {
    const { caseId, folder, name } = at;
    const { url } = await changeFile({ params: { caseId, folder, name }, body: patch });
    await dispatch(caseLibrary.refresh(caseId));
    const now = { caseId, folder: patch.folder ?? folder, name: nameOfUrl(url) };
    const undo = () => void dispatch(placeFile(now, { name, folder })).catch(() => undefined);
    toast.plain(`${name} is now ${now.name} in ${now.folder}`, { label: 'Undo', run: undo });
  };
}

const changeFile = mutation(fileRoutes.changeFile, 'Couldn’t change the file', {
  toasts: 'errors',
});

export const restoreFile = mutation(fileRoutes.restoreFile, 'Couldn’t restore the file');

/** Makes an earlier version of a file its newest one. */
export function restoreVersion({ caseId, folder, name }: FileAt, version: number) {
  return async (dispatch: Dispatch): Promise<void> => {
    const restored = await sendRestored({ params: { caseId, folder, name }, body: { version } });
    dispatch(fileReceived(restored));
    dispatch(actedOnCase(caseId));
    toast.success(`Version ${version} restored as version ${restored.version}`);
  };
}

const sendRestored = mutation(fileVersionRoutes.restoreVersion, 'Couldn’t restore the version', {
  toasts: 'errors',
});

/** Requests training of a file; `status` reports whether it is queued. */
export function train({ caseId, folder, name }: FileAt) {
  const body = { case_id: caseId, folder_to_download: folder, file_name: name };
  return call(aiRoutes.train, { body, toasts: 'none' });
}

/** Requests training of all files of a case or folder that are not trained. */
export const trainAll = mutation(trainingRoutes.trainAll, 'Couldn’t start the training', {
  toasts: 'errors',
});

/** The training status of a file: 201, 202, 404 or 500. */
export function checkTraining({ caseId, folder, name }: FileAt, signal?: AbortSignal) {
  const body = { case_id: caseId, folder, file_name: name };
  return call(aiRoutes.check, { body, toasts: 'none', ...(signal && { signal }) });
}

/** Uploads a file and reports the share sent, 0 to 1. */
export function uploadFile(
  to: { caseId: string; folder: string },
  file: File,
  onProgress: (share: number) => void,
): Upload<{ urls: string[] }> {
  return send(fileRoutes.uploadFiles, { file, fields: to, onProgress });
}

/** Uploads a new version of a file and reports the share sent, 0 to 1. */
export function uploadVersion(
  { caseId, folder, name }: FileAt,
  file: File,
  onProgress: (share: number) => void,
): Upload<FileEvent> {
  const params = { caseId, folder, name };
  return send(fileVersionRoutes.addVersion, { file, params, onProgress });
}
