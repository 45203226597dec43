import type { PayloadAction } from '@reduxjs/toolkit';
import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { type Entries, resource, type Page } from '../../core/resource.ts';

/** Filters of a matter's stream; `kinds` and `people` are lists with commas. */
export type StreamQuery = { caseId: string; kinds?: string; people?: string; search?: string };

/** An entry as it is now, or only its id once it left the matter. */
type ReceivedEntry = StreamEntry | { id: string; case: null };

type StreamState = { streams: Entries<StreamData, ReceivedEntry> };

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
  apply: (_: StreamState, { query, data }, received: ReceivedEntry) =>
    withEntry(data, query.caseId, received),
});

const slice = featureSlice(
  'stream',
  { streams },
  {
    on: {
      /** An entry is new, has changed, or has left its matter. */
      entryReceived(state, { payload }: PayloadAction<ReceivedEntry>) {
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

/** A stream as far as it was read: `pinned` and `counts` are those of its first page. */
export type StreamData = {
  items: StreamItem[];
  pinned: StreamItem[];
  counts: Record<string, number>;
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

/**
 * A page that follows the items before it, or the first page once more: what was read beyond that stays, unless there is a
 * gap.
 */
export function withPage(
  answer: StreamData,
  held: Page<StreamData> | null,
  isMore: boolean,
): Page<StreamData> {
  if (!held) return { data: answer, cursor: answer.nextCursor };
  const before = held.data;
  if (isMore) {
    const known = new Set(before.items.map(({ id }) => id));
    const items = [...before.items, ...answer.items.filter(({ id }) => !known.has(id))];
    return { data: { ...before, items }, cursor: answer.nextCursor };
  }
  const last = answer.items.at(-1);
  const at = before.items.findIndex(({ id }) => id === last?.id);
  const older = at === -1 || answer.nextCursor === null ? [] : before.items.slice(at + 1);
  if (older.length === 0) return { data: answer, cursor: answer.nextCursor };
  return { data: { ...answer, items: [...answer.items, ...older] }, cursor: held.cursor };
}

/** The stream after an entry was changed, or left its matter. */
export function withEntry(
  data: StreamData,
  caseId: string,
  received: StreamEntry | { id: string; case: null },
): StreamData {
  const isHere = received.case === caseId;
  const settle = (items: StreamItem[]) =>
    items.flatMap((item) => {
      if (item.entry?.id !== received.id) return [item];
      if (!isHere || received.case === null) return [];
      if (item.entry.updatedAt > received.updatedAt) return [item];
      const { pinned, text, answer } = received;
      return [{ ...item, pinned, excerpt: answer ? item.excerpt : text, entry: received }];
    });
  if (!data.items.some(({ entry }) => entry?.id === received.id)) return data;
  const pinned = settle(data.pinned).filter((item) => item.pinned);
  return { ...data, items: settle(data.items), pinned };
}
