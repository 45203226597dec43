import type { WalledMatter } from '@matterdesk/contract/access.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { keyOf, appendPage, resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/access.ts')).accessRoutes;

/** A case or an intake. */
export type Matter = Pick<WalledMatter, 'kind' | 'id'>;

/** Access to a matter. */
export const accessTo = resource({
  kept: 2,
  fetch: async (params: Matter, { read }) =>
    (await read((await routes()).readAccess, { params })).access,
});

/** Matters that not everyone sees, newest first. */
export const walledMatters = resource({
  kept: 0,
  fetch: async (_: string, { read, cursor }) =>
    read((await routes()).listAccess, { query: { cursor } }),
  take: appendPage('matters'),
});

/** Access to matters; never stored in the browser. */
const slice = featureSlice(
  'access',
  { matters: accessTo, walled: walledMatters },
  {
    others: (builder) =>
      builder.addCase(matterLost, (state, { payload: id }) => {
        for (const kind of ['cases', 'intakes']) delete state.matters[keyOf({ kind, id })];
      }),
  },
);

declare module '../../core/store.ts' {
  interface RootState {
    access: ReturnType<typeof slice.reducer>;
  }
}

export const accessReducer = slice.reducer;
