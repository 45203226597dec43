// Cases: list, search, changes, import and export.

import { CaseSchema, caseRoutes } from '@matterdesk/contract/cases.ts';
import type { Binder } from '../../http/bind.ts';
import { readCsvUpload, sendCsv } from '../../http/csv.ts';
import { pageLimit } from '../../http/paging.ts';
import { streamList } from '../../http/stream-list.ts';
import { declaredLength } from '../../http/upload.ts';
import type { CaseExchange } from './service.exchange.ts';
import type { CaseService } from './service.ts';

type Services = { cases: CaseService; exchange: CaseExchange };

export function bindCases(binder: Binder, { cases: service, exchange }: Services) {
  binder.bind(caseRoutes.listCases, ({ actor, query, reply }) =>
    pageLimit(query) === undefined
      ? streamList(reply, { name: 'cases', schema: CaseSchema }, service.listAll(actor, query))
      : service.listCases(actor, query),
  );
  binder.bind(caseRoutes.readCase, async ({ actor, params }) => ({
    case: await service.readCase(actor, params.id),
  }));
  binder.bind(caseRoutes.openCase, async ({ actor, body, once }) => ({
    case: await service.openCase(actor, body, once),
  }));
  binder.bind(caseRoutes.changeCase, async ({ actor, params, body }) => ({
    case: await service.changeCase(actor, params.id, body),
  }));
  binder.bind(caseRoutes.exportCases, async ({ actor, query, note, request, reply }) => {
    // The words may come from a matter that other readers of the record do not see.
    const after = { list: 'cases', ...query, ...(query.search && { search: true }) };
    await note({ action: 'exported', entity: 'list', entityId: request.id, after });
    return sendCsv(
      reply,
      { name: 'matters', columns: exchange.columns },
      exchange.exportCases(actor, query),
    );
  });
  binder.bind(caseRoutes.importCases, async ({ actor, query, request }) => {
    await exchange.requireRoom(declaredLength(request));
    const file = await readCsvUpload(request, exchange.upload);
    return exchange.importCases(actor, file, query.dryRun === '1');
  });
}
