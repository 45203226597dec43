import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { call, download } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { chain, type Filters, lists, seals } from './slice.ts';

const PAGE = 100;

export const entryList = new Resource(lists, {
  slice: ({ record }) => record,
  kept: 2,
  fetch: (filters: Filters, { signal, cursor }) =>
    call(auditRoutes.listEntries, {
      query: { ...filters, limit: PAGE, cursor },
      signal,
      toasts: 'none',
    }),
});

/** Whether the whole record is as it was written. */
export const sealChain = new Resource(chain, {
  slice: ({ record }) => record,
  kept: 1,
  fetch: (_: 'all', { signal }) => call(auditRoutes.checkSeals, { signal, toasts: 'none' }),
});

/** The seal over one entry, by its id. */
export const sealOf = new Resource(seals, {
  slice: ({ record }) => record,
  kept: 10,
  fetch: (id: string, { signal }) =>
    call(auditRoutes.checkSeal, { params: { id }, signal, toasts: 'none' }),
});

export function exportEntries(query: Filters) {
  return download(auditRoutes.exportEntries, { query, failing: 'Couldn’t export the record' });
}
