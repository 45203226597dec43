import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { CallError } from '../api.ts';
import { socketConnected } from './connection.ts';
import { type Answered, type Entries, keyOf, ResourceState } from './entries.ts';
import { Resource } from './resource.ts';

type Note = { id: string; text: string; at: number };
type Page = { notes: Note[]; nextCursor: string | null };
type State = { notes: Entries<Note[], Note> };

const entries = new ResourceState({
  name: 'test/notes',
  of: (state: State) => state.notes,
  take: (_, { answer, held, isMore }: Answered<string, Page, Note[]>) => ({
    data: [...(isMore && held ? held.data : []), ...answer.notes],
    cursor: answer.nextCursor,
  }),
  apply: (_, { data }, event: Note) =>
    data.map((note) => (note.id === event.id && event.at > note.at ? event : note)),
});

const slice = createSlice({
  name: 'test',
  initialState: (): State => ({ notes: {} }),
  reducers: {
    noteHeard: (state, { payload }: PayloadAction<Note>) => entries.apply(state, payload),
  },
  extraReducers: (builder) => entries.handle(builder),
});
const { noteHeard } = slice.actions;

const note = (id: string, at = 0): Note => ({ id, text: `${id} at ${at}`, at });

/** A fetch under way, which the test answers. */
type Asked = {
  query: string;
  cursor: string | undefined;
  signal: AbortSignal;
  answer: (page: Page) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
};

let asked: Asked[];
let store: ReturnType<typeof createStore>;
let notes: ReturnType<typeof createNotes>;

beforeEach(() => {
  asked = [];
  store = createStore();
  notes = createNotes();
});

function createStore() {
  return configureStore({ reducer: slice.reducer });
}

function createNotes() {
  return new Resource(entries, {
    slice: () => store.getState(),
    kept: 1,
    fetch: (query: string, { signal, cursor }) =>
      new Promise<Page>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        asked.push({
          query,
          cursor,
          signal,
          answer: (page) => settled(() => resolve(page)),
          fail: (error) => settled(() => reject(error)),
        });
      }),
  });
}

async function settled(act: () => void) {
  act();
  await tick();
}

/** All promises that are settled have told what waits for them. */
function tick() {
  return new Promise((resolve) => setTimeout(resolve));
}

const entry = (query = 'a') => store.getState().notes[keyOf(query)];
// The resource reads what the test's store holds, whatever the shell has assembled.
const run = <T>(thunk: (dispatch: never, getState: never) => T) =>
  store.dispatch(thunk as (dispatch: unknown, getState: unknown) => T);
const latest = () => asked.at(-1) ?? expect.unreachable('nothing was fetched');

describe('a fetch', () => {
  test('fills the entry, and is the only one of its key', async () => {
    void run(notes.load('a'));
    void run(notes.load('a'));
    expect(asked).toHaveLength(1);
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

  test('gives way to a newer one, whose answer alone counts', async () => {
    void run(notes.load('a'));
    const older = latest();
    void run(notes.refresh('a'));
    expect(older.signal.aborted).toBe(true);
    await older.answer({ notes: [note('old')], nextCursor: null });
    expect(entry()).toMatchObject({ data: null, status: 'loading' });
    await latest().answer({ notes: [note('new')], nextCursor: null });
    expect(entry()?.data).toEqual([note('new')]);
  });

  test('that fails says why until there is an answer, and keeps what is shown', async () => {
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

  test('is ignored once the entry is gone, as after signing out', async () => {
    void run(notes.load('a'));
    store.dispatch(entries.step({ kind: 'dropped', keys: [keyOf('a')] }));
    await latest().answer({ notes: [note('1')], nextCursor: null });
    expect(entry()).toBeUndefined();
  });
});

describe('the next page', () => {
  beforeEach(async () => {
    void run(notes.load('a'));
    await latest().answer({ notes: [note('1')], nextCursor: 'after 1' });
  });

  test('comes behind the rows, until there is none', async () => {
    void run(notes.grow('a'));
    void run(notes.grow('a'));
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'after 1']);
    await latest().answer({ notes: [note('2')], nextCursor: null });
    expect(entry()).toMatchObject({ data: [note('1'), note('2')], cursor: null });
    await run(notes.grow('a'));
    expect(asked).toHaveLength(2);
  });

  test('is dropped when the cursor is another by then', () => {
    const key = keyOf('a');
    store.dispatch(
      entries.step({
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

  test('changes what is held, unless it is older', () => {
    store.dispatch(noteHeard(note('1', 4)));
    expect(entry()?.data).toEqual([note('1', 5)]);
    store.dispatch(noteHeard(note('1', 6)));
    expect(entry()?.data).toEqual([note('1', 6)]);
  });

  test('that arrives during a fetch changes its answer too, unless it is older', async () => {
    void run(notes.load('a'));
    store.dispatch(noteHeard(note('1', 7)));
    store.dispatch(noteHeard(note('2', 7)));
    await latest().answer({ notes: [note('1', 6), note('2', 8)], nextCursor: null });
    expect(entry()).toMatchObject({ data: [note('1', 7), note('2', 8)], missed: [] });
  });
});

describe('an entry', () => {
  test('is stale when it is invalidated, also during a fetch, and after each connection', async () => {
    void run(notes.load('a'));
    store.dispatch(entries.invalidated('a'));
    await latest().answer({ notes: [], nextCursor: null });
    expect(entry()?.stale).toBe(true);
    void run(notes.load('a'));
    await latest().answer({ notes: [], nextCursor: null });
    expect(entry()?.stale).toBe(false);
    store.dispatch(socketConnected('socket'));
    expect(entry()?.stale).toBe(true);
  });

  test('that no page shows any longer is fetched no further', async () => {
    const leave = run(notes.watch(keyOf('a')));
    void run(notes.load('a'));
    leave();
    await tick();
    expect(latest().signal.aborted).toBe(true);
    expect(entry()).toBeUndefined();
  });

  test('goes on when the next page shows it too', async () => {
    const leave = run(notes.watch(keyOf('a')));
    void run(notes.load('a'));
    leave();
    run(notes.watch(keyOf('a')));
    await tick();
    expect(latest().signal.aborted).toBe(false);
  });

  test('is dropped when more have been shown since than are kept', async () => {
    for (const query of ['a', 'b', 'c']) {
      const leave = run(notes.watch(keyOf(query)));
      void run(notes.load(query));
      await latest().answer({ notes: [], nextCursor: null });
      leave();
      await tick();
    }
    expect(Object.keys(store.getState().notes)).toEqual([keyOf('c')]);
  });
});
