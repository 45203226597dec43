import { createAction } from '@reduxjs/toolkit';
import { accountRoutes, type CurrentUser } from '@matterdesk/contract/accounts.ts';
import { resource } from './resource.ts';
import { store } from './store.ts';

/** The server's current state of the signed-in user, which may have changed. */
export const currentUserReplaced = createAction<CurrentUser>('user/currentUserReplaced');

/** Signed-in user as the server knows them; the action updates every feature. */
export const currentUser = resource({
  kept: 0,
  async fetch(_: 'me', { read }) {
    const me = await read(accountRoutes.me);
    store.dispatch(currentUserReplaced(me));
    return me;
  },
});
