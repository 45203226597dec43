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
  /** Where the page begins; undefined for the beginning. */
  cursor: string | undefined;
  /** What is shown meanwhile: a list is fetched again as far as it had been read. */
  held: Data | null;
}

interface ResourceOptions<State, Q extends Query, Answer, Data> {
  slice: (root: RootState) => State;
  /** Throws a CallError, which becomes the entry's `failure`; it shows no toast of its own. */
  fetch: (query: Q, fetching: Fetching<Data>) => Promise<Answer>;
  /** How many entries that no page shows stay, so that going back finds them; the oldest is dropped. */
  kept: number;
}

/**
 * Server data that a slice holds under keys and this fetches: the one way in which the client reads.
 *
 * In `slice.ts`: `lists = new ResourceState({ name, of, take, apply })`, `lists.handle(builder)` in
 * `extraReducers`, and `lists.apply(state, event)` or `lists.invalidate(state)` where an event arrives.
 * In `api.ts`: `mailList = new Resource(lists, { slice: ({ mails }) => mails, fetch, kept: 4 })`.
 * In a component: `const { data, status, failure, refresh, grow } = useResource(mailList, query)`.
 *
 * One fetch per key is under way. What no page shows any longer is aborted. After each connection, and
 * once it is invalidated, an entry is stale: a page that shows it fetches it again behind what it shows.
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

  /** Fetches from the beginning, unless that is under way. */
  load(query: Q): Thunk<Promise<void>> {
    return async (dispatch, getState) => {
      const key = keyOf(query);
      const isLoading = this.#running.has(key) && this.read(getState(), key)?.status === 'loading';
      if (!isLoading) await dispatch(this.#run(key, null));
    };
  }

  /** Fetches from the beginning, now: a fetch under way began too early to know. */
  refresh(query: Q): Thunk<Promise<void>> {
    return this.#run(keyOf(query), null);
  }

  /** Fetches the next page, unless a fetch is under way. */
  grow(query: Q): Thunk<Promise<void>> {
    return async (dispatch, getState) => {
      const key = keyOf(query);
      const entry = this.read(getState(), key);
      if (entry?.status === 'idle' && entry.cursor !== null)
        await dispatch(this.#run(key, entry.cursor));
    };
  }

  /** Keeps an entry for a page that shows it. @returns what ends that */
  watch(key: string): Thunk<() => void> {
    return (dispatch) => {
      this.#watchers.set(key, (this.#watchers.get(key) ?? 0) + 1);
      this.#unwatched = this.#unwatched.filter((other) => other !== key);
      return () => {
        const others = (this.#watchers.get(key) ?? 0) - 1;
        if (others > 0) this.#watchers.set(key, others);
        else this.#watchers.delete(key);
        // The next page may show it too.
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
      // A newer fetch has taken its place.
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
      // An entry that only failed is fetched anew by the next page that shows it.
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
