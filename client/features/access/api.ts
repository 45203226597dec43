import { accessRoutes, type AccessChange, type Glass } from '@matterdesk/contract/access.ts';
import { call } from '../../api.ts';
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

/** @returns until when the matter is open to the user */
export function openMatter(params: Matter, body: Glass) {
  return call(accessRoutes.openAccess, {
    params,
    body,
    failing: 'Couldn’t open the matter',
  });
}
