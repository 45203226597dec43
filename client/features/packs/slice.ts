import type { Pack } from '@matterdesk/contract/packs.ts';
import type { Entries } from '../../core/entries.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { resource } from '../../core/resource.ts';

type PacksState = {
  trials: Entries<Pack>;
  lists: Entries<Pack[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    packs: PacksState;
  }
}

const load = () => import('./api.ts');

// Nothing reports changes of either, so each opening of the dialog fetches both.

/** A pack of every part of a case that is only counted. */
export const packTrial = resource({
  kept: 0,
  fetch: async (caseId: string, fetching): Promise<Pack> =>
    (await load()).tryPack(caseId, fetching),
});

/** Packs of a case, the newest first. */
export const packList = resource({
  kept: 0,
  fetch: async (caseId: string, fetching): Promise<Pack[]> =>
    (await load()).readPacks(caseId, fetching),
});

export const packsReducer = featureSlice('packs', { trials: packTrial, lists: packList }).reducer;
