import { fileRoutes, fileVersionRoutes, FILES_PER_UPLOAD_MAX } from '@matterdesk/contract/files.ts';
import { trashRoutes } from '@matterdesk/contract/storage.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import { readFileText, searchFiles } from './service.training.ts';
import {
  changeFile,
  createFolder,
  deleteFile,
  emptyFileTrash,
  listFiles,
  readFileContent,
  restoreFile,
  uploadFiles,
} from './service.ts';
import { addFileVersion, listFileVersions, restoreFileVersion } from './service.versions.ts';

export function serveFiles(binder: Binder) {
  binder.serve(fileRoutes, {
    listFiles: ({ context, params }) => listFiles(context, params.caseId),
    searchFiles: ({ context, query }) => searchFiles(context, query),
    createFolder: ({ context, body }) => createFolder(context, body),
    uploadFiles: ({ context, request }) => {
      const limits = { bytes: context.config.maxUploadBytes, files: FILES_PER_UPLOAD_MAX };
      const parts = readUpload(request, fileRoutes.uploadFiles, limits);
      return uploadFiles(context, parts, { length: declaredLength(request) });
    },
    readContent: async ({ context, params, query, note, request, reply }) => {
      const content = await readFileContent(context, params, query.version);
      await sendContent(content, { isDownload: query.download === '1', note, request, reply });
      return undefined;
    },
    readText: ({ context, params, query }) => readFileText(context, params, query),
    changeFile: ({ context, params, body }) => changeFile(context, params, body),
    deleteFile: async ({ context, params }) => {
      await deleteFile(context, params);
      return null;
    },
    restoreFile: ({ context, body }) => restoreFile(context, body.url),
  });
  binder.serve(fileVersionRoutes, {
    listVersions: ({ context, params }) => listFileVersions(context, params),
    addVersion: ({ context, params, request }) => {
      const limits = { bytes: context.config.maxUploadBytes, files: 1 };
      const parts = readUpload(request, fileVersionRoutes.addVersion, limits);
      return addFileVersion(context, params, { parts, length: declaredLength(request) });
    },
    restoreVersion: ({ context, params, body }) =>
      restoreFileVersion(context, params, body.version),
  });
  binder.serve(trashRoutes, {
    emptyTrash: async ({ context }) => {
      await emptyFileTrash(context);
      return null;
    },
  });
}
