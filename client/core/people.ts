import { accountRoutes, type User } from '@matterdesk/contract/accounts.ts';
import { keyOf } from './entries.ts';
import { resource } from './resource.ts';
import { type RootState, useAppSelector } from './store.ts';

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
