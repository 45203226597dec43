import { fileRoutes, MAX_FILES_PER_UPLOAD } from '@matterdesk/contract/files.ts';
import { storageRoutes } from '@matterdesk/contract/storage.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import type { FileService } from './service.ts';
import type { FileTexts } from './service.training.ts';

type Services = { files: FileService; texts: FileTexts };

export function bindFiles(
  binder: Binder,
  { files: service, texts }: Services,
  maxUploadBytes: number,
) {
  const limits = { bytes: maxUploadBytes, files: MAX_FILES_PER_UPLOAD };
  binder.bind(fileRoutes.listFiles, ({ actor, params }) => service.listFiles(actor, params.caseId));
  binder.bind(fileRoutes.searchFiles, ({ actor, query }) => texts.searchFiles(actor, query));
  binder.bind(fileRoutes.createFolder, ({ actor, body }) => service.createFolder(actor, body));
  binder.bind(fileRoutes.uploadFiles, ({ actor, request }) =>
    service.uploadFiles(actor, readUpload(request, fileRoutes.uploadFiles, limits), {
      length: declaredLength(request),
    }),
  );
  binder.bind(fileRoutes.readContent, async ({ actor, params, query, note, request, reply }) => {
    const content = await service.readContent(actor, params);
    await sendContent(content, { isDownload: query.download === '1', note, request, reply });
    return undefined;
  });
  binder.bind(fileRoutes.readText, ({ actor, params, query }) =>
    texts.readText(actor, params, query.page ?? 1),
  );
  binder.bind(fileRoutes.deleteFile, async ({ actor, params }) => {
    await service.deleteFile(actor, params);
    return null;
  });
  binder.bind(storageRoutes.emptyTrash, async ({ actor }) => {
    await service.emptyTrash(actor);
    return null;
  });
  binder.bind(fileRoutes.restoreFile, ({ actor, body }) => service.restoreFile(actor, body.url));
}
