import { type Pack, type PackPart, packRoutes } from '@matterdesk/contract/packs.ts';
import { actedOnCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import type { Dispatch } from '../../core/store.ts';
import { packList } from './slice.ts';

const sendPack = mutation(packRoutes.makePack, 'Couldn’t export the matter', { toasts: 'errors' });

/** Starts a pack, and refreshes the list with it. */
export function exportMatter(
  caseId: string,
  { parts, key }: { parts: readonly PackPart[]; key: string },
) {
  return async (dispatch: Dispatch): Promise<Pack> => {
    const body = { parts: [...parts] };
    const { pack } = await sendPack({ params: { id: caseId }, body, idempotencyKey: key });
    dispatch(actedOnCase(caseId));
    await dispatch(packList.refresh(caseId));
    return pack;
  };
}
