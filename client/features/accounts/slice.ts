import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CurrentUser, SignedIn, User } from '@matterdesk/contract/accounts.ts';
import { currentUserReplaced } from '../../core/current-user.ts';

/** The `user` store: who is signed in, and the people of the firm by last name. */
export type UserState = {
  current: CurrentUser | null;
  token: string | null;
  people: User[];
  peopleStatus: 'idle' | 'loading' | 'ready' | 'failed';
};

declare module '../../core/store.ts' {
  interface RootState {
    user: UserState;
  }
}

const initialState: UserState = {
  current: null,
  token: null,
  people: [],
  peopleStatus: 'idle',
};

const slice = createSlice({
  name: 'user',
  initialState,
  reducers: {
    signedIn(state, { payload: { token, ...current } }: PayloadAction<SignedIn>) {
      state.current = current;
      state.token = token;
    },
    tokenReplaced(state, { payload }: PayloadAction<string>) {
      if (state.current) state.token = payload;
    },
    peopleLoading(state) {
      state.peopleStatus = 'loading';
    },
    peopleFailed(state) {
      state.peopleStatus = 'failed';
    },
    peopleCame(state, { payload }: PayloadAction<User[]>) {
      state.people = payload;
      state.peopleStatus = 'ready';
    },
    /** Somebody is new or has changed, perhaps the person who is signed in. */
    personHeard(state, { payload }: PayloadAction<User>) {
      const others = state.people.filter((person) => person.id !== payload.id);
      state.people = [...others, payload].toSorted(byLastName);
      if (state.current?.id === payload.id) state.current = { ...state.current, ...payload };
    },
  },
  extraReducers: (builder) =>
    builder.addCase(currentUserReplaced, (state, { payload }) => {
      if (state.current?.id === payload.id) state.current = payload;
    }),
});

function byLastName(a: User, b: User) {
  return a.lastName.localeCompare(b.lastName) || a.firstName.localeCompare(b.firstName);
}

export const { signedIn, tokenReplaced, peopleLoading, peopleFailed, peopleCame, personHeard } =
  slice.actions;
export const userReducer = slice.reducer;
