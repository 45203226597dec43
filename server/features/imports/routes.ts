import { IMPORT_FILES_MAX, importRoutes } from '@matterdesk/contract/imports.ts';
import type { Binder } from '../../http/bind.ts';
import { sendCsv } from '../../http/csv.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import {
  addImport,
  changeImport,
  listImports,
  listProfiles,
  readImport,
  REPORT_COLUMNS,
  reportOf,
  runImport,
  stopImport,
  undoImport,
} from './service.ts';

export function serveImports(binder: Binder) {
  binder.serve(importRoutes, {
    listImportProfiles: async ({ context }) => listProfiles(context),
    addImport: ({ context, request }) => {
      const limits = { bytes: context.config.maxUploadBytes, files: IMPORT_FILES_MAX };
      const parts = readUpload(request, importRoutes.addImport, limits);
      return addImport(context, parts, { length: declaredLength(request) });
    },
    listImports: ({ context }) => listImports(context),
    readImport: ({ context, params }) => readImport(context, params.id),
    readImportReport: async ({ context, params, note, reply }) => {
      const rows = await reportOf(context, params.id);
      await note({ action: 'exported', entity: 'import', entityId: params.id });
      return sendCsv(reply, { name: 'import', columns: REPORT_COLUMNS }, rows);
    },
    changeImport: ({ context, params, body }) => changeImport(context, params.id, body),
    runImport: ({ context, params, body }) => runImport(context, params.id, body),
    stopImport: ({ context, params }) => stopImport(context, params.id),
    undoImport: ({ context, params, body }) => undoImport(context, params.id, body),
  });
}
