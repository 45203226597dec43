import { CurrentUserSchema, UserSchema } from '@matterdesk/contract/accounts.ts';
import type { Driver } from 'redux-remember';
import * as z from 'zod/mini';
import { keptMails } from '../features/mails/slice.ts';
import { keptMessages } from '../features/messages/slice.ts';
import { keptTasks } from '../features/tasks/slice.ts';
import type { RootState } from '../core/store.ts';

/** The stores that the browser keeps, each under its own key. */
export const storeNames = [
  'user',
  'cases',
  'files',
  'tasks',
  'mails',
  'socket',
  'messages',
] as const;
type StoreName = (typeof storeNames)[number];

export const KEY_PREFIX = 'redux-';
/** The key by which tabs know whether somebody is signed in, and who. */
export const SESSION_KEY = `${KEY_PREFIX}user`;
const READ_TIMEOUT = 5000;
const MOST_PEOPLE = 200;
const MOST_CASES = 100;
/** UTF-16 units of one key; seven of them stay under a megabyte of what browsers grant. */
const LONGEST = 140_000;

/** What a kept store must look like to be taken for it. What it lacks, it has from the first day. */
const keptUser = z.looseObject({
  current: z.optional(z.nullable(CurrentUserSchema)),
  token: z.optional(z.nullable(z.string())),
  // oxlint-disable-next-line promise/valid-params -- the validator's, not a promise's
  people: z.catch(z.array(UserSchema), []),
});
/** Of all other stores; read only where something is kept, since the first page of a stranger needs none. */
let keptStores: Record<string, z.ZodMiniType> = {};

/** Reads with a timeout; writes only while somebody is signed in, so that nothing outlives the session. */
export function createDriver(isSignedIn: () => boolean): Driver {
  return {
    getItem: (key: string) =>
      Promise.race([
        readKept(key),
        new Promise<null>((resolve) => setTimeout(resolve, READ_TIMEOUT, null)),
      ]),
    setItem: (key: string, value: string) => {
      if (isSignedIn()) localStorage.setItem(key, value);
    },
  };
}

async function readKept(key: string): Promise<string | null> {
  const text = readKey(key);
  if (text !== null && key !== SESSION_KEY) ({ keptStores } = await import('./kept-stores.ts'));
  return text;
}

/** What of a store is kept: bounded, however large the firm. */
export function serialize(data: unknown, name: string): string {
  const [whole, little] = keptOf(data, name as StoreName);
  const text = JSON.stringify(whole);
  return text.length <= LONGEST ? text : JSON.stringify(little ?? {});
}

/** What is kept of a store, and what instead when that is too long. */
function keptOf(data: unknown, name: StoreName): [whole: unknown, little?: unknown] {
  if (name === 'user') return [fewPeople(data as RootState['user'])];
  if (name === 'cases') return [newestCases(data as RootState['cases'])];
  if (name === 'tasks') {
    const tasks = keptTasks(data as RootState['tasks']);
    return [tasks, { orders: tasks.orders }];
  }
  if (name === 'mails') return [keptMails(data as RootState['mails'])];
  if (name === 'messages') {
    const messages = keptMessages(data as RootState['messages']);
    return [messages, { ...messages, conversations: [] }];
  }
  return [data];
}

/** A corrupt key loses itself alone. */
export function unserialize(text: unknown, name: string): unknown {
  try {
    const kept: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return (name === 'user' ? keptUser : keptStores[name])?.safeParse(kept).data;
  } catch {
    return undefined;
  }
}

function newestCases(cases: RootState['cases']) {
  const newest = Object.values(cases.entities)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, MOST_CASES);
  return {
    ids: newest.map((one) => one.id),
    entities: Object.fromEntries(newest.map((one) => [one.id, one])),
    lists: {},
  };
}

function fewPeople(user: RootState['user']) {
  return { ...user, people: user.people.slice(0, MOST_PEOPLE), peopleStatus: 'idle' };
}

/** Whose session the browser keeps, as any tab has written it; undefined for nobody's. */
export function keptSession(text = readKey(SESSION_KEY)) {
  const kept = unserialize(text, 'user') as z.infer<typeof keptUser> | undefined;
  return kept?.token && kept.current ? { token: kept.token, id: kept.current.id } : undefined;
}

/** All keys stand from sign-in on, also those of stores that hold nothing yet. */
export function writeMissingKeys(state: RootState): void {
  attempt(() => {
    for (const name of storeNames)
      if (readKey(KEY_PREFIX + name) === null)
        localStorage.setItem(KEY_PREFIX + name, serialize(state[name], name));
  });
}

/** Takes everything away, unless another tab has signed in as somebody else meanwhile. */
export function clearStorage(token: string | null): void {
  const kept = keptSession();
  if (kept && kept.token !== token) return;
  attempt(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(KEY_PREFIX)) localStorage.removeItem(key);
  });
}

function readKey(key: string): string | null {
  return attempt(() => localStorage.getItem(key)) ?? null;
}

/** A browser that forbids storage, or whose storage is full, keeps nothing; the rest goes on. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
