import type { Driver } from 'redux-remember';
import type { RootState } from './store.ts';

/** The stores that the browser keeps, each under its own key. */
export const storeNames = [
  ...(['user', 'cases', 'files', 'tasks', 'mails', 'socket', 'messages'] as const),
] as const;
export const KEY_PREFIX = 'redux-';
const READ_TIMEOUT = 5000;
const NEWEST = 200;
/** UTF-16 units of one key; seven of them stay under a megabyte of what browsers grant. */
const LONGEST = 140_000;

/** Reads with a timeout; writes only while somebody is signed in, so that nothing outlives the session. */
export function createDriver(isSignedIn: () => boolean): Driver {
  return {
    getItem: (key: string) =>
      Promise.race([
        Promise.resolve(localStorage.getItem(key)),
        new Promise<null>((resolve) => setTimeout(resolve, READ_TIMEOUT, null)),
      ]),
    setItem: (key: string, value: string) => {
      if (isSignedIn()) localStorage.setItem(key, value);
    },
  };
}

/** What of a store is kept: bounded, however large the firm. */
export function serialize(data: unknown, name: string): string {
  const kept = name === 'cases' ? newestCases(data as RootState['cases']) : data;
  const text = JSON.stringify(name === 'user' ? fewPeople(data as RootState['user']) : kept);
  return text.length <= LONGEST ? text : 'null';
}

/** A corrupt key loses itself alone. */
export function unserialize(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

function newestCases(cases: RootState['cases']) {
  const newest = Object.values(cases.entities)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, NEWEST / 2);
  return {
    ids: newest.map((one) => one.id),
    entities: Object.fromEntries(newest.map((one) => [one.id, one])),
    lists: {},
  };
}

function fewPeople(user: RootState['user']) {
  return { ...user, people: user.people.slice(0, NEWEST), peopleStatus: 'idle' };
}

/** All keys stand from sign-in on, also those of stores that hold nothing yet. */
export function writeMissingKeys(state: RootState): void {
  for (const name of storeNames)
    if (localStorage.getItem(KEY_PREFIX + name) === null)
      localStorage.setItem(KEY_PREFIX + name, serialize(state[name], name));
}

/** Takes everything away, unless another tab has signed in as somebody else meanwhile. */
export function clearStorage(token: string | null): void {
  const kept = unserialize(localStorage.getItem(`${KEY_PREFIX}user`)) as
    | { token?: string | null }
    | undefined;
  if (kept?.token && kept.token !== token) return;
  for (const key of Object.keys(localStorage))
    if (key.startsWith(KEY_PREFIX)) localStorage.removeItem(key);
}
