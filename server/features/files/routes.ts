import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileRoutes, MAX_FILES_PER_UPLOAD } from '@matterdesk/contract/files.ts';
import type { Binder } from '../../http/bind.ts';
import { readUpload } from '../../http/upload.ts';
import { dispositionOf, isSafeToShow, readRange } from './rules.ts';
import type { FileService, Opened } from './service.ts';
import type { FileTexts } from './service.training.ts';

type Services = { files: FileService; texts: FileTexts };

export function bindFiles(
  binder: Binder,
  { files: service, texts }: Services,
  maxUploadBytes: number,
) {
  const limits = { bytes: maxUploadBytes, files: MAX_FILES_PER_UPLOAD };
  binder.bind(fileRoutes.listFiles, ({ actor, params }) => service.listFiles(actor, params.caseId));
  binder.bind(fileRoutes.createFolder, ({ actor, body }) => service.createFolder(actor, body));
  binder.bind(fileRoutes.uploadFiles, ({ actor, request }) =>
    service.uploadFiles(actor, readUpload(request, 'attachments', limits)),
  );
  binder.bind(fileRoutes.readContent, async ({ actor, params, query, request, reply }) => {
    const opened = await service.openFile(actor, params);
    await sendContent(opened, query.download === '1', request, reply);
    return undefined;
  });
  binder.bind(fileRoutes.readText, ({ actor, params, query }) =>
    texts.readText(actor, params, query.page ?? 1),
  );
  binder.bind(fileRoutes.deleteFile, async ({ actor, params }) => {
    await service.deleteFile(actor, params);
    return null;
  });
  binder.bind(fileRoutes.restoreFile, ({ actor, body }) => service.restoreFile(actor, body.url));
}

/** Bytes of a stranger: shown only when that is safe, and then in a sandbox that runs nothing. */
async function sendContent(
  { row, size, read }: Opened,
  isDownload: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const isShown = isSafeToShow(row.name, row.mime_type);
  const isPdf = row.mime_type === 'application/pdf';
  const range = readRange(request.headers.range, size);
  void reply
    .type(isShown ? row.mime_type : 'application/octet-stream')
    .header(
      'content-disposition',
      dispositionOf(isShown && !isDownload ? 'inline' : 'attachment', row.name),
    )
    .header('content-security-policy', isPdf ? "default-src 'none'" : "default-src 'none'; sandbox")
    .header('accept-ranges', 'bytes');
  if (range === null) {
    await reply.code(416).header('content-range', `bytes */${size}`).send();
    return;
  }
  if (range)
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const length = range ? range.end - range.start + 1 : size;
  void reply.header('content-length', String(length));
  await reply.send(length === 0 ? Buffer.alloc(0) : await read(range));
}
