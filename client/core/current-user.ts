import { accountRoutes, type CurrentUser } from '@matterdesk/contract/accounts.ts';
import { createAction } from '@reduxjs/toolkit';
import { call } from '../api.ts';
import { ResourceState } from './entries.ts';
import { Resource } from './resource.ts';
import { type RootState, store } from './store.ts';

/** The server's current state of the signed-in user, which may have changed. */
export const currentUserReplaced = createAction<CurrentUser>('user/currentUserReplaced');

export const currentUserState = new ResourceState<RootState['user'], 'me', CurrentUser>({
  name: 'user/me',
  of: (state) => state.me,
});

/** Who is signed in, according to the server; the action updates every feature. */
export const currentUser = new Resource(currentUserState, {
  slice: ({ user }) => user,
  kept: 0,
  async fetch(_, { signal }) {
    const me = await call(accountRoutes.me, { signal, toasts: 'none' });
    store.dispatch(currentUserReplaced(me));
    return me;
  },
});
