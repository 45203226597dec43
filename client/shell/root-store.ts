import {
  combineReducers,
  configureStore,
  createAction,
  type Reducer,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { rememberEnhancer, rememberReducer } from 'redux-remember';
import { connectStore, isSignedIn, type RootState } from '../core/store.ts';
import { signedIn, userReducer } from '../features/accounts/slice.ts';
import { casesReducer } from '../features/cases/slice.ts';
import { overviewReducer } from '../features/dashboard/slice.ts';
import { filesReducer } from '../features/files/slice.ts';
import { mailsReducer } from '../features/mails/slice.ts';
import { messagesReducer } from '../features/messages/slice.ts';
import { tasksReducer } from '../features/tasks/slice.ts';
import { socketReducer } from '../core/connection.ts';
import { tellCase } from './case-changes.ts';
import { tellOverview } from './overview-changes.ts';
import { createDriver, KEY_PREFIX, serialize, storeNames, unserialize } from './persistence.ts';

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

export const rootStore = configureStore({
  reducer: rememberReducer<RootState>(reducer),
  middleware: (getDefault) =>
    getDefault({ serializableCheck: false, immutableCheck: false }).concat(tellOverview, tellCase),
  enhancers: (getDefault) =>
    getDefault().concat(
      rememberEnhancer(createDriver(isSignedIn), [...storeNames], {
        prefix: KEY_PREFIX,
        serialize,
        unserialize,
        migrate: withDefaults,
        errorHandler: () => undefined,
      }),
    ),
});

connectStore(rootStore);

/** A store kept by an older version may lack members of today's. */
function withDefaults(kept: Partial<RootState>): RootState {
  const fresh = stores(undefined, { type: '@@fresh' });
  const entries = storeNames.map((name) => [name, { ...fresh[name], ...kept[name] }]);
  return Object.fromEntries(entries) as RootState;
}

/** Resolves when what the browser kept is in the store. */
export function whenRestored(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!rootStore.getState().user.isRestored) return;
      stop();
      resolve();
    };
    const stop = rootStore.subscribe(look);
    look();
  });
}
