import { accountRoutes, type User } from '@matterdesk/contract/accounts.ts';
import { call } from '../api.ts';
import { keyOf, ResourceState } from './entries.ts';
import { Resource } from './resource.ts';
import { type RootState, useAppSelector } from './store.ts';

const ALL = 'all';
const KEY = keyOf(ALL);
const NONE: readonly User[] = [];

/** The people of the firm by last name, stored in the `user` slice. */
export const peopleState = new ResourceState<RootState['user'], typeof ALL, User[], User[], User>({
  name: 'user/people',
  of: (state) => state.people,
  apply: (_, { data }, person) =>
    [...data.filter(({ id }) => id !== person.id), person].toSorted(byLastName),
});

export const people = new Resource(peopleState, {
  slice: ({ user }) => user,
  kept: 1,
  fetch: (_: typeof ALL, { signal }) => call(accountRoutes.listUsers, { signal, toasts: 'none' }),
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
