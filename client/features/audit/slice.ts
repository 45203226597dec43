import { featureSlice } from '../../core/feature-slice.ts';
import { appendPage, resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/audit.ts')).auditRoutes;

/** The filters in the page's address. */
export type Filters = Record<string, string>;

const PAGE = 100;

export const entryList = resource({
  kept: 2,
  fetch: async (filters: Filters, { read, cursor }) =>
    read((await routes()).listEntries, { query: { ...filters, limit: PAGE, cursor } }),
  take: appendPage('entries'),
});

/** Whether the whole record is as it was written. */
export const sealChain = resource({
  kept: 1,
  fetch: async (_: 'all', { read }) => read((await routes()).checkSeals),
});

/** The seal over one entry, by its id. */
export const sealOf = resource({
  kept: 10,
  fetch: async (id: string, { read }) => read((await routes()).checkSeal, { params: { id } }),
});

/** The audit log; never stored in the browser. */
const slice = featureSlice('record', { entryList, sealChain, sealOf });

declare module '../../core/store.ts' {
  interface RootState {
    record: ReturnType<typeof slice.reducer>;
  }
}

export const recordReducer = slice.reducer;
