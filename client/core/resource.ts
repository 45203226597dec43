import { CallError } from '../api.ts';
import {
  type Entry,
  type Failure,
  keyOf,
  type Query,
  type ResourceState,
  type Step,
} from './entries.ts';
import type { Dispatch, RootState } from './store.ts';

type Thunk<T> = (dispatch: Dispatch, getState: () => RootState) => T;

interface Fetching<Data> {
  signal: AbortSignal;
  /** Where the page begins; undefined for the first page. */
  cursor: string | undefined;
  /** The data shown meanwhile, so that a list is fetched again to the same length. */
  held: Data | null;
}

interface ResourceOptions<State, Q extends Query, Answer, Data> {
  slice: (root: RootState) => State;
  /** Throws a CallError, which becomes the entry's `failure`, without showing a toast. */
  fetch: (query: Q, fetching: Fetching<Data>) => Promise<Answer>;
  /** How many entries stay when no page shows them, so that going back is instant. */
  kept: number;
}

/**
 * Server data stored by key in a slice: the only way in which the client reads from the server.
 *
 * In `slice.ts`: `lists = new ResourceState({ name, of, take, apply })`, `lists.handle(builder)` in
 * `extraReducers`, and `lists.apply(state, event)` or `lists.invalidate(state)` where an event arrives.
 * In `api.ts`: `mailList = new Resource(lists, { slice: ({ mails }) => mails, fetch, kept: 4 })`.
 * In a component: `const { data, status, failure, refresh, grow } = useResource(mailList, query)`.
 *
 * Each key has at most one fetch, which is aborted when no page shows the entry. On each connection, and
 * when invalidated, an entry becomes stale: a page that shows it fetches it again in the background.
 */
export class Resource<State, Q extends Query, Answer, Data, Event> {
  readonly #state: ResourceState<State, Q, Answer, Data, Event>;
  readonly #options: ResourceOptions<State, Q, Answer, Data>;
  readonly #running = new Map<string, AbortController>();
  readonly #watchers = new Map<string, number>();
  readonly #fetchedAt = new Map<string, number>();
  #unwatched: string[] = [];

  constructor(
    state: ResourceState<State, Q, Answer, Data, Event>,
    options: ResourceOptions<State, Q, Answer, Data>,
  ) {
    this.#state = state;
    this.#options = options;
  }

  read(root: RootState, key: string): Entry<Data, Event> | undefined {
    return this.#state.of(this.#options.slice(root))[key];
  }

  /** When the last fetch began. */
  fetchedAt(key: string): number {
    return this.#fetchedAt.get(key) ?? 0;
  }

  /** Fetches from the beginning, unless already doing so. */
  load(query: Q): Thunk<Promise<void>> {
    return async (dispatch, getState) => {
      const key = keyOf(query);
      const isLoading = this.#running.has(key) && this.read(getState(), key)?.status === 'loading';
      if (!isLoading) await dispatch(this.#run(key, null));
    };
  }

  /** Fetches from the beginning, replacing a fetch in progress, whose answer may be outdated. */
  refresh(query: Q): Thunk<Promise<void>> {
    return this.#run(keyOf(query), null);
  }

  /** Fetches the next page, unless a fetch is in progress. */
  grow(query: Q): Thunk<Promise<void>> {
    return async (dispatch, getState) => {
      const key = keyOf(query);
      const entry = this.read(getState(), key);
      if (entry?.status === 'idle' && entry.cursor !== null)
        await dispatch(this.#run(key, entry.cursor));
    };
  }

  /** Keeps an entry while a page shows it. @returns a function that ends this */
  watch(key: string): Thunk<() => void> {
    return (dispatch) => {
      this.#watchers.set(key, (this.#watchers.get(key) ?? 0) + 1);
      this.#unwatched = this.#unwatched.filter((other) => other !== key);
      return () => {
        const others = (this.#watchers.get(key) ?? 0) - 1;
        if (others > 0) this.#watchers.set(key, others);
        else this.#watchers.delete(key);
        // Deferred, because the next page may show it too.
        queueMicrotask(() => dispatch(this.#forget(key)));
      };
    };
  }

  #run(key: string, after: string | null): Thunk<Promise<void>> {
    return async (dispatch, getState) => {
      this.#running.get(key)?.abort();
      const controller = new AbortController();
      const { signal } = controller;
      this.#running.set(key, controller);
      this.#fetchedAt.set(key, Date.now());
      const held = this.read(getState(), key)?.data ?? null;
      dispatch(this.#state.step({ kind: 'begun', key, isMore: after !== null }));
      const cursor = after ?? undefined;
      const outcome = await this.#options
        .fetch(JSON.parse(key) as Q, { signal, cursor, held })
        .then(
          (answer): Step<Answer> => ({ kind: 'answered', key, answer, after }),
          (error: unknown): Step<Answer> =>
            signal.aborted
              ? { kind: 'aborted', key }
              : { kind: 'failed', key, failure: failureOf(error) },
        );
      // Replaced by a newer fetch.
      if (this.#running.get(key) !== controller) return;
      this.#running.delete(key);
      dispatch(this.#state.step(outcome));
    };
  }

  #forget(key: string): Thunk<void> {
    return (dispatch, getState) => {
      if (this.#watchers.has(key)) return;
      this.#running.get(key)?.abort();
      const isEmpty = this.read(getState(), key)?.data == null;
      const others = this.#unwatched.filter((other) => other !== key);
      const unwatched = isEmpty ? others : [...others, key];
      const excess = unwatched.slice(0, Math.max(0, unwatched.length - this.#options.kept));
      this.#unwatched = unwatched.slice(excess.length);
      // An entry without data is dropped, so that the next page fetches it again.
      const keys = isEmpty ? [...excess, key] : excess;
      if (keys.length > 0) dispatch(this.#state.step({ kind: 'dropped', keys }));
    };
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof CallError
    ? { message: error.message, status: error.status, code: error.code }
    : { message: 'Something went wrong', status: 0 };
}
