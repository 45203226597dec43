import { featureSlice } from '../../core/feature-slice.ts';
import { resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/views.ts')).viewRoutes;

/** The user's saved views of every list, by name. */
export const viewList = resource({
  kept: 1,
  fetch: async (_: 'all', { read }) => (await read((await routes()).listViews)).views,
});

const slice = featureSlice('views', { lists: viewList });

declare module '../../core/store.ts' {
  interface RootState {
    views: ReturnType<typeof slice.reducer>;
  }
}

export const viewsReducer = slice.reducer;
