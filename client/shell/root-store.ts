import {
  combineReducers,
  configureStore,
  createAction,
  type Dispatch,
  type Middleware,
  type Reducer,
  type ReducersMapObject,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { socketReducer } from '../core/connection.ts';
import { connectStore, type RootState } from '../core/store.ts';
import { signedIn, userReducer } from '../features/accounts/slice.ts';
import { casesReducer } from '../features/cases/slice.ts';
import { filesReducer } from '../features/files/slice.ts';
import { mailsReducer } from '../features/mails/slice.ts';
import { messagesReducer } from '../features/messages/slice.ts';
import { tasksReducer } from '../features/tasks/slice.ts';
import { keepStores, storeNames } from './persistence.ts';

/** Resets every slice on signing out. */
export const everythingCleared = createAction('everythingCleared');

type Stores = Reducer<RootState, UnknownAction, Partial<RootState>>;

/** Reducers for the first page; the shell adds the others. */
const first = {
  user: userReducer,
  cases: casesReducer,
  files: filesReducer,
  tasks: tasksReducer,
  mails: mailsReducer,
  socket: socketReducer,
  messages: messagesReducer,
};
let stores = combineReducers(first) as unknown as Stores;

let later: ReducersMapObject = {};
let follow: Middleware | undefined;
let dispatch: Dispatch | undefined;

/**
 * Adds what no page needs before signing in: slices, and what invalidates data when other data changes.
 * May come before the store is there, since reading stored data loads parts of the shell.
 */
export function addLater(added: ReducersMapObject, invalidation = follow): void {
  follow = invalidation;
  later = { ...later, ...added };
  stores = combineReducers({ ...first, ...later }) as unknown as Stores;
  dispatch?.({ type: '@@added' });
}

function reducer(state: RootState | undefined, action: UnknownAction): RootState {
  if (everythingCleared.match(action)) return stores(undefined, action);
  // Answers to a user who has signed out are ignored.
  return state && isAfterSignOut(state, action) ? state : stores(state, action);
}

function isAfterSignOut({ user }: Partial<RootState>, { type }: UnknownAction) {
  return user?.token === null && type !== signedIn.type && !type.startsWith('@@');
}

const following: Middleware = (api) => (next) => (action) =>
  follow ? follow(api)(next)(action) : next(action);

/** Creates the store from the stored state, and keeps storing it. */
export function assembleStore(kept: Partial<RootState>) {
  const fresh = stores(undefined, { type: '@@fresh' });
  // State stored by an older version may lack members.
  const restored = storeNames.map((name) => [name, { ...fresh[name], ...kept[name] }] as const);
  const rootStore = configureStore({
    reducer,
    preloadedState: { ...fresh, ...Object.fromEntries(restored) },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(following),
  });
  ({ dispatch } = rootStore);
  connectStore(rootStore, addLater);
  keepStores(rootStore);
  return rootStore;
}
