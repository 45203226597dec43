import { accessRoutes, type AccessChange } from '@matterdesk/contract/access.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import type { Matter } from './slice.ts';

export async function changeAccess(params: Matter, body: AccessChange) {
  const changed = await call(accessRoutes.changeAccess, {
    params,
    body,
    failing: 'Couldn’t save the access',
  });
  if (!('access' in changed)) throw new Error('a dry run was not asked for');
  return changed;
}

/** Resolves with the end of the user's access. */
export const openMatter = mutation(accessRoutes.openAccess, 'Couldn’t open the matter');
