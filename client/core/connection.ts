import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * The `socket` store. `epoch` grows when events may have been lost before a connection, and when many records changed
 * without an event for each: shown data must be fetched again.
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
      state.status = 'connected';
      state.id = payload;
    },
    /** Events may have been lost, or many records changed without an event for each. */
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

export const socketReducer = slice.reducer;
