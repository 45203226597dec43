// Cases: list, search, changes, import and export.

import { caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Binder } from '../../http/bind.ts';
import { readCsvUpload, sendCsv } from '../../http/csv.ts';
import { pageLimit } from '../../http/paging.ts';
import { streamList } from '../../http/streams.ts';
import { declaredLength } from '../../http/upload.ts';
import {
  csvUpload,
  EXPORT_COLUMNS,
  exportCases,
  importCases,
  requireImportSpace,
} from './service.exchange.ts';
import {
  changeCase,
  declineStatute,
  listAllCases,
  listCases,
  openCase,
  readCase,
} from './service.ts';

export function serveCases(binder: Binder) {
  binder.serve(caseRoutes, {
    listCases: ({ context, query, reply }) =>
      pageLimit(query) === undefined
        ? streamList(reply, 'cases', listAllCases(context, query))
        : listCases(context, query),
    readCase: async ({ context, params }) => ({
      case: await readCase(context, params.id),
    }),
    openCase: async ({ context, body, once }) => ({
      case: await openCase(context, body, once),
    }),
    changeCase: async ({ context, params, body }) => ({
      case: await changeCase(context, params.id, body),
    }),
    declineStatute: async ({ context, params, body }) => ({
      case: await declineStatute(context, params.id, body.reason),
    }),
    exportCases: async ({ context, query, note, request, reply }) => {
      // The words may come from a matter that other readers of the record do not see.
      const after = { list: 'cases', ...query, ...(query.search && { search: true }) };
      await note({ action: 'exported', entity: 'list', entityId: request.id, after });
      return sendCsv(
        reply,
        { name: 'matters', columns: EXPORT_COLUMNS },
        exportCases(context, query),
      );
    },
    importCases: async ({ context, query, request }) => {
      await requireImportSpace(context, declaredLength(request));
      const file = await readCsvUpload(request, csvUpload);
      return importCases(context, file, query.dryRun === '1');
    },
  });
}
