import type { PayloadAction } from '@reduxjs/toolkit';
import type { CurrentUser, SignedIn, User } from '@matterdesk/contract/accounts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';
import type { Integrations } from '@matterdesk/contract/integrations.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { firm, integrations } from '../../core/firm.ts';
import { currentUser, currentUserReplaced, people } from '../../core/people.ts';
import type { Entries } from '../../core/resource.ts';

/** The `user` slice: the signed-in user, the firm and its people, and the integrations. */
export type UserState = {
  current: CurrentUser | null;
  token: string | null;
  me: Entries<CurrentUser>;
  people: Entries<User[], User>;
  integrations: Entries<Integrations>;
  firm: Entries<Firm>;
};

declare module '../../core/store.ts' {
  interface RootState {
    user: UserState;
  }
}

type SignedInState = Pick<UserState, 'current' | 'token'>;
const state: SignedInState = { current: null, token: null };

const slice = featureSlice(
  'user',
  { me: currentUser, people, integrations, firm },
  {
    state,
    on: {
      signedIn(state, { payload: { token, ...current } }: PayloadAction<SignedIn>) {
        state.current = current;
        state.token = token;
      },
      tokenReplaced(state, { payload }: PayloadAction<string>) {
        if (state.current) state.token = payload;
      },
      /** The firm demands a second factor, and the user has none. */
      factorDemanded(state) {
        if (state.current) state.current.mustEnrol = true;
      },
      /** A user is new or has changed, possibly the signed-in user. */
      personReceived(state, { payload }: PayloadAction<User>) {
        people.apply(state, payload);
        if (state.current?.id !== payload.id) return;
        replaceCurrent(state, { ...state.current, ...payload });
        // Fields that only the user sees may have changed, too.
        currentUser.invalidate(state);
      },
    },
    others: (builder) =>
      builder.addCase(currentUserReplaced, (state, { payload }) => {
        if (state.current?.id === payload.id) replaceCurrent(state, payload);
      }),
  },
);

function replaceCurrent(state: SignedInState, next: CurrentUser) {
  // Only users who manage users see people waiting for approval.
  const before = state.current?.permissions.manageUsers;
  if (before !== next.permissions.manageUsers) people.invalidate(state);
  state.current = next;
}

export const { signedIn, tokenReplaced, factorDemanded, personReceived } = slice.actions;
export const userReducer = slice.reducer;
