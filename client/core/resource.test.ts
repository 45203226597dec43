import { configureStore, type PayloadAction } from '@reduxjs/toolkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { CallError } from '../api.ts';
import { everythingStale } from './connection.ts';
import { featureSlice } from './feature-slice.ts';
import { type AnswerContext, keyOf, resource } from './resource.ts';

type Note = { id: string; text: string; at: number };
type Page = { notes: Note[]; nextCursor: string | null };

const note = (id: string, at = 0): Note => ({ id, text: `${id} at ${at}`, at });

/** A fetch in progress, answered by the test. */
type PendingFetch = {
  query: string;
  cursor: string | undefined;
  signal: AbortSignal;
  answer: (page: Page) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
};

let fetches: PendingFetch[];
let store: ReturnType<typeof setUp>['store'];
let notes: ReturnType<typeof setUp>['notes'];
let noteReceived: ReturnType<typeof setUp>['noteReceived'];

beforeEach(() => {
  fetches = [];
  ({ store, notes, noteReceived } = setUp());
});

function setUp() {
  const notes = resource({
    kept: 1,
    fetch: (query: string, { signal, cursor }) =>
      new Promise<Page>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        fetches.push({
          query,
          cursor,
          signal,
          answer: (page) => settled(() => resolve(page)),
          fail: (error) => settled(() => reject(error)),
        });
      }),
    take: (_: object, { answer, held, isMore }: AnswerContext<string, Page, Note[]>) => ({
      data: [...(isMore && held ? held.data : []), ...answer.notes],
      cursor: answer.nextCursor,
    }),
    apply: (_: object, { data }: { data: Note[] }, event: Note) =>
      data.map((note) => (note.id === event.id && event.at > note.at ? event : note)),
  });
  const slice = featureSlice(
    'test',
    { notes },
    {
      on: {
        noteReceived: (state, { payload }: PayloadAction<Note>) => notes.apply(state, payload),
      },
    },
  );
  const store = configureStore({ reducer: { test: slice.reducer } });
  return { notes, store, noteReceived: slice.actions.noteReceived };
}

async function settled(act: () => void) {
  act();
  await tick();
}

/** Lets the handlers of all settled promises run. */
function tick() {
  return new Promise((resolve) => setTimeout(resolve));
}

const entry = (query = 'a') => store.getState().test.notes[keyOf(query)];
// The resource reads the test's own store.
const run = <T>(thunk: (dispatch: never, getState: never) => T) =>
  store.dispatch(thunk as (dispatch: unknown, getState: unknown) => T);
const latest = () => fetches.at(-1) ?? expect.unreachable('nothing was fetched');

describe('a fetch', () => {
  test('fills the entry and runs once per key', async () => {
    void run(notes.load('a'));
    void run(notes.load('a'));
    expect(fetches).toHaveLength(1);
    expect(entry()).toMatchObject({ data: null, status: 'loading' });
    await latest().answer({ notes: [note('1')], nextCursor: 'after 1' });
    expect(entry()).toEqual({
      data: [note('1')],
      cursor: 'after 1',
      status: 'idle',
      failure: null,
      stale: false,
      missed: [],
    });
  });

  test('is aborted by a refresh, whose answer replaces its own', async () => {
    void run(notes.load('a'));
    const older = latest();
    void run(notes.refresh('a'));
    expect(older.signal.aborted).toBe(true);
    await older.answer({ notes: [note('old')], nextCursor: null });
    expect(entry()).toMatchObject({ data: null, status: 'loading' });
    await latest().answer({ notes: [note('new')], nextCursor: null });
    expect(entry()?.data).toEqual([note('new')]);
  });

  test('keeps the data when it fails, and the failure until the next answer', async () => {
    void run(notes.load('a'));
    await latest().answer({ notes: [note('1')], nextCursor: null });
    void run(notes.load('a'));
    await latest().fail(new CallError('No answer', 0));
    expect(entry()).toMatchObject({
      data: [note('1')],
      status: 'idle',
      failure: { message: 'No answer', status: 0 },
    });
    void run(notes.load('a'));
    expect(entry()?.failure).not.toBeNull();
    await latest().answer({ notes: [], nextCursor: null });
    expect(entry()?.failure).toBeNull();
  });

  test('is ignored once the entry is dropped, as on signing out', async () => {
    void run(notes.load('a'));
    store.dispatch(notes.step({ kind: 'dropped', keys: [keyOf('a')] }));
    await latest().answer({ notes: [note('1')], nextCursor: null });
    expect(entry()).toBeUndefined();
  });
});

describe('the next page', () => {
  beforeEach(async () => {
    void run(notes.load('a'));
    await latest().answer({ notes: [note('1')], nextCursor: 'after 1' });
  });

  test('is appended to the rows until the last page', async () => {
    void run(notes.grow('a'));
    void run(notes.grow('a'));
    expect(fetches.map(({ cursor }) => cursor)).toEqual([undefined, 'after 1']);
    await latest().answer({ notes: [note('2')], nextCursor: null });
    expect(entry()).toMatchObject({ data: [note('1'), note('2')], cursor: null });
    await run(notes.grow('a'));
    expect(fetches).toHaveLength(2);
  });

  test('is ignored when the cursor has changed', () => {
    const key = keyOf('a');
    store.dispatch(
      notes.step({
        kind: 'answered',
        key,
        answer: { notes: [note('2')], nextCursor: null },
        after: 'after 0',
      }),
    );
    expect(entry()).toMatchObject({ data: [note('1')], cursor: 'after 1' });
  });
});

describe('an event', () => {
  beforeEach(async () => {
    void run(notes.load('a'));
    await latest().answer({ notes: [note('1', 5)], nextCursor: null });
  });

  test('updates the data unless it is older', () => {
    store.dispatch(noteReceived(note('1', 4)));
    expect(entry()?.data).toEqual([note('1', 5)]);
    store.dispatch(noteReceived(note('1', 6)));
    expect(entry()?.data).toEqual([note('1', 6)]);
  });

  test('received during a fetch also updates the answer unless it is older', async () => {
    void run(notes.load('a'));
    store.dispatch(noteReceived(note('1', 7)));
    store.dispatch(noteReceived(note('2', 7)));
    await latest().answer({ notes: [note('1', 6), note('2', 8)], nextCursor: null });
    expect(entry()).toMatchObject({ data: [note('1', 7), note('2', 8)], missed: [] });
  });
});

describe('an entry', () => {
  test('becomes stale when invalidated, even during a fetch, and with everything else', async () => {
    void run(notes.load('a'));
    store.dispatch(notes.invalidated('a'));
    await latest().answer({ notes: [], nextCursor: null });
    expect(entry()?.stale).toBe(true);
    void run(notes.load('a'));
    await latest().answer({ notes: [], nextCursor: null });
    expect(entry()?.stale).toBe(false);
    store.dispatch(everythingStale());
    expect(entry()?.stale).toBe(true);
  });

  test('stops being fetched when no page shows it', async () => {
    const leave = run(notes.watch(keyOf('a')));
    void run(notes.load('a'));
    leave();
    await tick();
    expect(latest().signal.aborted).toBe(true);
    expect(entry()).toBeUndefined();
  });

  test('keeps being fetched when the next page shows it too', async () => {
    const leave = run(notes.watch(keyOf('a')));
    void run(notes.load('a'));
    leave();
    run(notes.watch(keyOf('a')));
    await tick();
    expect(latest().signal.aborted).toBe(false);
  });

  test('is dropped once more entries than the limit have been shown since', async () => {
    for (const query of ['a', 'b', 'c']) {
      const leave = run(notes.watch(keyOf(query)));
      void run(notes.load(query));
      await latest().answer({ notes: [], nextCursor: null });
      leave();
      await tick();
    }
    expect(Object.keys(store.getState().test.notes)).toEqual([keyOf('c')]);
  });
});
