import { TEMPLATE_BYTES_MAX, templateRoutes } from '@matterdesk/contract/templates.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { readUpload } from '../../http/upload.ts';
import { listDocuments, makeDocuments, tryDocuments } from './service.documents.ts';
import {
  addTemplate,
  addTemplateVersion,
  changeTemplate,
  listFields,
  listTemplates,
  readTemplateFile,
} from './service.ts';

const limits = { bytes: TEMPLATE_BYTES_MAX, files: 1 };

export function serveTemplates(binder: Binder) {
  binder.serve(templateRoutes, {
    listTemplates: ({ context, query }) => listTemplates(context, query),
    addTemplate: ({ context, request }) =>
      addTemplate(context, readUpload(request, templateRoutes.addTemplate, limits)),
    addTemplateVersion: ({ context, params, request }) =>
      addTemplateVersion(
        context,
        params.id,
        readUpload(request, templateRoutes.addTemplateVersion, limits),
      ),
    changeTemplate: ({ context, params, body }) => changeTemplate(context, params.id, body),
    readTemplateFile: async ({ context, params, query, note, request, reply }) => {
      const content = await readTemplateFile(context, params.id, query.version);
      await sendContent(content, { isDownload: true, note, request, reply });
      return undefined;
    },
    listTemplateFields: () => Promise.resolve(listFields()),
    makeDocuments: async ({ context, params, query, body, once, reply }) => {
      const { preview } = query;
      if (query.dryRun !== '1') return makeDocuments(context, params.id, { input: body, once });
      void reply.code(templateRoutes.makeDocuments.otherStatus);
      return tryDocuments(context, params.id, { input: body, preview });
    },
    listDocuments: ({ context, params, query }) => listDocuments(context, params.id, query),
  });
}
