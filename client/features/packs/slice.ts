import type { Pack } from '@matterdesk/contract/packs.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { type Entries, resource } from '../../core/resource.ts';

type PacksState = {
  trials: Entries<Pack>;
  lists: Entries<Pack[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    packs: PacksState;
  }
}

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/packs.ts')).packRoutes;

// Nothing reports changes of either, so each opening of the dialog fetches both.

/** A pack of every part of a case that is only counted. */
export const packTrial = resource({
  kept: 0,
  fetch: async (id: string, { read }): Promise<Pack> => {
    const sent = { params: { id }, body: { dryRun: true } };
    return (await read((await routes()).makePack, sent)).pack;
  },
});

/** Packs of a case, the newest first. */
export const packList = resource({
  kept: 0,
  fetch: async (id: string, { read }): Promise<Pack[]> =>
    (await read((await routes()).listPacks, { params: { id } })).packs,
});

export const packsReducer = featureSlice('packs', { trials: packTrial, lists: packList }).reducer;
