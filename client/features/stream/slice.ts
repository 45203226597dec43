import type { PayloadAction } from '@reduxjs/toolkit';
import type { StreamEntry } from '@matterdesk/contract/stream.ts';
import type { Entries } from '../../core/entries.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { resource } from '../../core/resource.ts';
import { type StreamData, withEntry, withPage } from './rules.pages.ts';

/** Filters of a matter's stream; `kinds` and `people` are lists with commas. */
export type StreamQuery = { caseId: string; kinds?: string; people?: string; search?: string };

/** An entry as it is now, or only its id once it left the matter. */
type Received = StreamEntry | { id: string; case: null };

type StreamState = { streams: Entries<StreamData, Received> };

declare module '../../core/store.ts' {
  interface RootState {
    stream: StreamState;
  }
}

const PAGE = 50;

/** Streams of matters, newest first. */
export const streams = resource({
  kept: 4,
  async fetch({ caseId, ...filters }: StreamQuery, { read, cursor }) {
    // Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
    const { streamRoutes } = await import('@matterdesk/contract/stream.ts');
    const query = { ...filters, cursor, limit: PAGE };
    return read(streamRoutes.readStream, { params: { id: caseId }, query });
  },
  take: (_: StreamState, { answer, held, isMore }) => withPage(answer, held, isMore),
  apply: (_: StreamState, { query, data }, received: Received) =>
    withEntry(data, query.caseId, received),
});

const slice = featureSlice(
  'stream',
  { streams },
  {
    on: {
      /** An entry is new, has changed, or has left its matter. */
      entryReceived(state, { payload }: PayloadAction<Received>) {
        streams.apply(state, payload);
        markStale(state, payload.case);
      },
      /** Something happened in a matter, or in one that is not known. */
      streamChanged(state, { payload }: PayloadAction<string | null>) {
        markStale(state, payload);
      },
    },
    others(builder) {
      builder.addCase(matterLost, (state, { payload: id }) => {
        for (const key of Object.keys(state.streams))
          if (caseOf(key) === id) delete state.streams[key];
      });
    },
  },
);

function markStale(state: StreamState, caseId: string | null) {
  for (const key of Object.keys(state.streams))
    if (caseId === null || caseOf(key) === caseId) streams.invalidate(state, key);
}

function caseOf(key: string): string {
  return (JSON.parse(key) as StreamQuery).caseId;
}

export const { entryReceived, streamChanged } = slice.actions;
export const streamReducer = slice.reducer;
