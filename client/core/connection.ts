import { type Action, createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * The `socket` store. `epoch` grows with each connection, because events between connections are lost
 * and shown data must be fetched again; and when many records changed without an event for each.
 */
export type SocketState = {
  status: 'closed' | 'connecting' | 'connected' | 'lost';
  id: string | null;
  epoch: number;
};

declare module './store.ts' {
  interface RootState {
    socket: SocketState;
  }
}

const initialState: SocketState = { status: 'closed', id: null, epoch: 0 };

const slice = createSlice({
  name: 'socket',
  initialState,
  reducers: {
    socketOpening(state) {
      state.status = 'connecting';
    },
    socketConnected(state, { payload }: PayloadAction<string>) {
      state.epoch += 1;
      state.status = 'connected';
      state.id = payload;
    },
    /** Many records changed without an event for each. */
    everythingStale(state) {
      state.epoch += 1;
    },
    socketLost(state) {
      state.status = 'lost';
      state.id = null;
    },
    socketClosed(state) {
      state.status = 'closed';
      state.id = null;
    },
  },
});

export const { socketOpening, socketConnected, everythingStale, socketLost, socketClosed } =
  slice.actions;

/** Whether shown data must be fetched again after an action. */
export function makesStale(action: Action): boolean {
  return socketConnected.match(action) || everythingStale.match(action);
}
export const socketReducer = slice.reducer;
