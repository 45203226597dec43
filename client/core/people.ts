import { createAction } from '@reduxjs/toolkit';
import { accountRoutes, type User, type CurrentUser } from '@matterdesk/contract/accounts.ts';
import { keyOf, resource } from './resource.ts';
import { type RootState, useAppSelector, store } from './store.ts';

const ALL = 'all';
const KEY = keyOf(ALL);
const NONE: readonly User[] = [];

/** The people of the firm by last name, stored in the `user` slice. */
export const people = resource({
  kept: 1,
  fetch: (_: typeof ALL, { read }) => read(accountRoutes.listUsers),
  apply: (_: object, { data }: { data: User[] }, person: User) =>
    [...data.filter(({ id }) => id !== person.id), person].toSorted(byLastName),
});

export function peopleOf({ user }: RootState): readonly User[] {
  return user.people[KEY]?.data ?? NONE;
}

/** The people in the store, which the shell loads. */
export function usePeople() {
  const entry = useAppSelector(({ user }) => user.people[KEY]);
  return { people: entry?.data ?? NONE, status: entry?.status, failure: entry?.failure ?? null };
}

function byLastName(a: User, b: User) {
  return a.lastName.localeCompare(b.lastName) || a.firstName.localeCompare(b.firstName);
}

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
