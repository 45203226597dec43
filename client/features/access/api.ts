import { accessRoutes, type AccessChange, type Glass } from '@matterdesk/contract/access.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { matters, walled, type Matter } from './slice.ts';

/** Who sees a matter. */
export const accessTo = new Resource(matters, {
  slice: ({ access }) => access,
  kept: 2,
  fetch: (params: Matter, { signal }) =>
    call(accessRoutes.readAccess, { params, signal, toasts: 'none' }),
});

/** Matters that not everyone sees, newest first. */
export const walledMatters = new Resource(walled, {
  slice: ({ access }) => access,
  kept: 0,
  fetch: (_: string, { signal, cursor }) =>
    call(accessRoutes.listAccess, { query: { cursor }, signal, toasts: 'none' }),
});

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
