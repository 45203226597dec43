import type { Store } from '@reduxjs/toolkit';
import * as z from 'zod/mini';
import { CurrentUserSchema, UserSchema } from '@matterdesk/contract/accounts.ts';
import { isCovered, subscribeCover } from '../core/idle.ts';
import { keptEntries } from '../core/resource.ts';
import type { RootState } from '../core/store.ts';
import { tryStorage, removeKeys } from '../core/tab-storage.ts';
import { keptFiles } from '../features/files/slice.ts';
import { keptMails } from '../features/mails/slice.ts';
import { keptMessages } from '../features/messages/slice.ts';
import { keptTasks } from '../features/tasks/slice.ts';
import { entriesSchema } from './kept-entries.ts';

/** The slices stored in the browser, each under its own key. */
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

const KEY_PREFIX = 'redux-';
/** The key in which tabs see whether a user is signed in, and which. */
export const SESSION_KEY = `${KEY_PREFIX}user`;
const READ_TIMEOUT_MS = 5000;
const MAX_STORED_PEOPLE = 200;
const MAX_STORED_CASES = 100;
/** UTF-16 units per key, so that all keys together stay under a megabyte of the browser's quota. */
const MAX_STORED_LENGTH = 140_000;

/** Milliseconds during which several changes are combined into one write. */
const WRITE_DELAY_MS = 100;

/** Older versions stored nothing about second factors. */
const keptCurrent = z.extend(CurrentUserSchema, {
  secondFactor: z._default(CurrentUserSchema.shape.secondFactor, 'none'),
  mustEnrol: z._default(z.boolean(), false),
});
/** Validates the stored `user`. Missing members get their initial state. */
const keptUser = z.looseObject({
  current: z.optional(z.nullable(keptCurrent)),
  token: z.optional(z.nullable(z.string())),
  // oxlint-disable-next-line promise/valid-params -- the validator's, not a promise's
  people: z.catch(entriesSchema(z.array(UserSchema)), {}),
});
/** Schemas of the other slices, loaded only when something is stored: the sign-in page needs none. */
let keptStores: Record<string, z.ZodMiniType> = {};

/** The stored state; only the user when the schemas take longer than five seconds to load. */
export async function readKept(): Promise<Partial<RootState>> {
  const others = storeNames.filter(
    (name) => name !== 'user' && readKey(KEY_PREFIX + name) !== null,
  );
  const isLoaded = await Promise.race([
    others.length === 0 || loadSchemas(),
    new Promise<false>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, false)),
  ]);
  const names = isLoaded ? storeNames : (['user'] as const);
  const kept = names.map((name) => [name, unserialize(readKey(KEY_PREFIX + name), name)] as const);
  return Object.fromEntries(kept.filter(([, state]) => state !== undefined)) as Partial<RootState>;
}

async function loadSchemas(): Promise<boolean> {
  ({ keptStores } = await import('./kept-stores.ts'));
  return true;
}

/**
 * Stores the slices while a user is signed in: all of them at sign-in, even empty ones, and each when it
 * changes.
 */
export function keepStores({
  getState,
  subscribe,
}: Pick<Store<RootState>, 'getState' | 'subscribe'>) {
  let written: Partial<RootState> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const state = getState();
    // Another page may have wiped the storage, which a covered page does not fill again.
    if (state.user.token === null || isCovered()) return;
    for (const name of storeNames)
      if (written?.[name] !== state[name])
        tryStorage(() => localStorage.setItem(KEY_PREFIX + name, serialize(state[name], name)));
    written = state;
  };
  const follow = () => {
    const { token, current } = getState().user;
    if (token === null) written = null;
    // Other tabs, signing out and the guards of a reloaded page rely on these, so they are written at once.
    else if (
      written?.user?.token !== token ||
      written.user.current?.mustEnrol !== current?.mustEnrol
    )
      write();
    else timer ??= setTimeout(write, WRITE_DELAY_MS);
  };
  follow();
  subscribeCover(() => {
    written = null;
    follow();
  });
  return subscribe(follow);
}

/** The stored text of a slice, limited however large the firm. */
export function serialize(data: unknown, name: string): string {
  const [whole, little] = keptOf(data, name as StoreName);
  const text = JSON.stringify(whole);
  return text.length <= MAX_STORED_LENGTH ? text : JSON.stringify(little ?? {});
}

/** The part of a slice to store, and a smaller part for when it is too long. */
function keptOf(data: unknown, name: StoreName): [whole: unknown, little?: unknown] {
  if (name === 'user') return [fewPeople(data as RootState['user'])];
  if (name === 'cases') return [newestCases(data as RootState['cases'])];
  if (name === 'files') return [keptFiles(data as RootState['files'])];
  if (name === 'tasks') {
    const tasks = keptTasks(data as RootState['tasks']);
    return [tasks, { orders: tasks.orders }];
  }
  if (name === 'mails') return [keptMails(data as RootState['mails'])];
  if (name === 'messages') {
    const messages = keptMessages(data as RootState['messages']);
    return [messages, { ...messages, conversations: {} }];
  }
  return [data];
}

/** A corrupt key is discarded without affecting the others. */
export function unserialize(text: unknown, name: string): unknown {
  const kept = tryStorage((): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined));
  return (name === 'user' ? keptUser : keptStores[name])?.safeParse(kept).data;
}

function newestCases(cases: RootState['cases']) {
  const newest = Object.values(cases.entities)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, MAX_STORED_CASES);
  return {
    ids: newest.map((matter) => matter.id),
    entities: Object.fromEntries(newest.map((matter) => [matter.id, matter])),
  };
}

function fewPeople(user: RootState['user']) {
  const { current, token } = user;
  const people = keptEntries(user.people, (data) => data.slice(0, MAX_STORED_PEOPLE));
  return { current, token, people };
}

/** The stored session, written by any tab; undefined when signed out. */
export function keptSession(text = readKey(SESSION_KEY)) {
  const kept = unserialize(text, 'user') as z.infer<typeof keptUser> | undefined;
  return kept?.token && kept.current ? { token: kept.token, id: kept.current.id } : undefined;
}

/** Clears the stored state, unless another tab has since signed in as a different user. */
export function clearStorage(token: string | null): void {
  const kept = keptSession();
  if (kept && kept.token !== token) return;
  tryStorage(() => removeKeys(localStorage, KEY_PREFIX));
}

function readKey(key: string): string | null {
  return tryStorage(() => localStorage.getItem(key)) ?? null;
}
