import {
  combineReducers,
  configureStore,
  createAction,
  type Reducer,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { connectStore, type RootState } from '../core/store.ts';
import { signedIn, userReducer } from '../features/accounts/slice.ts';
import { casesReducer } from '../features/cases/slice.ts';
import { overviewReducer } from '../features/dashboard/slice.ts';
import { filesReducer } from '../features/files/slice.ts';
import { mailsReducer } from '../features/mails/slice.ts';
import { messagesReducer } from '../features/messages/slice.ts';
import { tasksReducer } from '../features/tasks/slice.ts';
import { socketReducer } from '../core/connection.ts';
import { invalidation } from './invalidation.ts';
import { keepStores, storeNames } from './persistence.ts';

/** Nobody is signed in any longer: every store is as on the first day. */
export const everythingCleared = createAction('everythingCleared');

const stores: Reducer<RootState, UnknownAction, Partial<RootState>> = combineReducers({
  user: userReducer,
  cases: casesReducer,
  files: filesReducer,
  tasks: tasksReducer,
  mails: mailsReducer,
  socket: socketReducer,
  messages: messagesReducer,
  overview: overviewReducer,
});

function reducer(state: RootState | undefined, action: UnknownAction): RootState {
  if (everythingCleared.match(action)) return stores(undefined, action);
  // An answer that comes after its person has gone is not for this store.
  return state && isLate(state, action) ? state : stores(state, action);
}

function isLate({ user }: Partial<RootState>, { type }: UnknownAction) {
  return user?.token === null && type !== signedIn.type && !type.startsWith('@@');
}

/** The store that begins with what the browser has kept, and keeps its stores from then on. */
export function assembleStore(kept: Partial<RootState>) {
  const fresh = stores(undefined, { type: '@@fresh' });
  // A store kept by an older version may lack members of today's.
  const restored = storeNames.map((name) => [name, { ...fresh[name], ...kept[name] }] as const);
  const rootStore = configureStore({
    reducer,
    preloadedState: { ...fresh, ...Object.fromEntries(restored) },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(invalidation),
  });
  connectStore(rootStore);
  keepStores(rootStore);
  return rootStore;
}
