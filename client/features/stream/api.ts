import { streamRoutes } from '@matterdesk/contract/stream.ts';
import type { StreamEntry } from '@matterdesk/contract/stream.ts';
import { CallError } from '../../api.ts';
import { filedToCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { readQuietly } from '../../core/use-read.ts';
import { entryReceived, streamChanged } from './slice.ts';

// The server sends its own socket no event.
const received = ({ entry }: { entry: StreamEntry }) => void store.dispatch(entryReceived(entry));

/** The composer and the call card show themselves why a save was refused. */
export const addEntry = mutation(streamRoutes.addEntry, 'Couldn’t save the entry', {
  toasts: 'none',
  done: received,
});

export const changeEntry = mutation(streamRoutes.changeEntry, 'Couldn’t save the entry', {
  done: received,
});

export const deleteEntry = mutation(streamRoutes.deleteEntry, 'Couldn’t delete the entry', {
  done: received,
});

/** The stream shows the success itself. */
export const pinEntry = mutation(streamRoutes.pinEntry, 'Couldn’t pin the entry', {
  toasts: 'errors',
  done: received,
});

export const moveEntry = mutation(streamRoutes.moveEntry, 'Couldn’t move the entry', {
  done: ({ entry }) => {
    store.dispatch(entryReceived({ id: entry.id, case: null }));
    store.dispatch(streamChanged(null));
  },
});

/** Saves the stream as PDF with the files of its matter. */
export const printStream = mutation(streamRoutes.printStream, 'Couldn’t save the stream', {
  done: (_, { params }) => void store.dispatch(filedToCase(params.id)),
});

/** An entry with its earlier texts. */
export function readEntry(id: string) {
  return readQuietly(streamRoutes.readEntry, { params: { id } });
}

/** Reads an entry again, such as after something was made from it; without an answer its row stays as it was. */
export async function refreshEntry(id: string): Promise<void> {
  try {
    received(await readEntry(id));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

/** People by a part of their name or number, with their active matters. */
export async function searchCallers(q: string) {
  return (await readQuietly(streamRoutes.lookForCallers, { query: { q } })).people;
}
