import { type ActionReducerMapBuilder, createAction, prepareAutoBatched } from '@reduxjs/toolkit';
import type { ErrorCode } from '@matterdesk/contract/errors.ts';
import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { call, CallError, type CallInput } from '../api.ts';
import { everythingStale } from './connection.ts';
import type { Dispatch, RootState } from './store.ts';

/** The wall clock, which may be set, and a monotonic clock, which may stop while the computer sleeps. */
const clocks = () => [Date.now(), performance.now()] as const;
let firstFetch: ReturnType<typeof clocks> | undefined;

/** Milliseconds since the first fetch of this page; 0 before it. */
export function msSinceFirstFetch(): number {
  const now = clocks();
  const [day, page] = firstFetch ?? now;
  return Math.max(now[0] - day, now[1] - page);
}

type Thunk<T> = (dispatch: Dispatch, getState: () => RootState) => T;

export interface FetchContext {
  signal: AbortSignal;
  /** Start of the page; undefined for the first page. */
  cursor: string | undefined;
  /** Number of rows on the screen, so that a list is refetched at the same length. */
  rows: number;
  /** Calls a route with the signal, and without a toast: a failure is the entry's. */
  read: <R extends Route>(route: R, input?: CallInput<R>) => Promise<RouteReply<R>>;
}

type Fetch<Q, Answer> = (query: Q, fetching: FetchContext) => Promise<Answer>;

interface ResourceOptions<Q extends Query, Answer, Data, Event, State> {
  /** Number of unwatched entries to keep, so that going back is instant. */
  kept: number;
  /** Throws a CallError, which becomes the entry's `failure`. Slices that the first page loads leave it to `fetchedBy`. */
  fetch?: Fetch<Q, Answer>;
  /** The rows of a list that is fetched again to the same length. */
  rows?: (data: Data) => number;
  /** The data never changes, such as the content of a file. */
  isFixed?: true;
  /** The data after an answer; without it, the answer is the data. */
  take?: (state: State, answered: AnswerContext<Q, Answer, Data>) => Page<Data>;
  /** The data after an event. Events may arrive twice, and those older than the data must be ignored. */
  apply?: (state: State, held: Page<Data> & { query: Q }, event: Event) => Data;
}

/**
 * Server data by key in the slice of its feature, kept up to date. Data that a single page shows can be read with `useRead`.
 *
 * In `slice.ts`: `mailList = resource({ kept: 4, fetch, take, apply })` and `featureSlice('mails', { mailList })`, whose
 * reducers call `mailList.apply(state, event)` or `mailList.invalidate(state)` when an event arrives.
 * In a component: `const { data, status, failure, refresh, grow } = useResource(mailList, query)`.
 *
 * Each key has at most one fetch, which is aborted when no page shows the entry. When events may have been
 * lost, and when invalidated, an entry becomes stale: a page that shows it fetches it again in the background.
 */
export function resource<
  Q extends Query,
  Answer,
  Data = Answer,
  Event = never,
  State extends object = object,
>(options: ResourceOptions<Q, Answer, Data, Event, State>) {
  return new Resource(options);
}

/** For lists that grow: the rows of the next page follow those before, by the name of the rows' member. */
export function appendPage<Rows extends string>(rows: Rows) {
  return <Answer extends Grows<Rows>>(
    _: object,
    { answer, held, isMore }: Omit<AnswerContext<Query, Answer, Answer>, 'query'>,
  ): Page<Answer> => {
    const before: readonly unknown[] = isMore && held ? held.data[rows] : [];
    return { data: { ...answer, [rows]: [...before, ...answer[rows]] }, cursor: answer.nextCursor };
  };
}
type Grows<Rows extends string> = Record<Rows, readonly unknown[]> & { nextCursor: string | null };

export class Resource<
  Q extends Query,
  Answer,
  Data = Answer,
  Event = never,
  State extends object = object,
> {
  /** For the type of the slice alone. */
  declare readonly entries: Entries<Data, Event>;
  readonly #options: ResourceOptions<Q, Answer, Data, Event, State>;
  #fetch: Fetch<Q, Answer> | undefined;
  #place = { slice: '', member: '' };
  #step = actionOf<Answer>('');
  readonly #running = new Map<string, AbortController>();
  readonly #watchers = new Map<string, number>();
  readonly #fetchedAt = new Map<string, number>();
  #unwatched: string[] = [];

  constructor(options: ResourceOptions<Q, Answer, Data, Event, State>) {
    this.#options = options;
    this.#fetch = options.fetch;
  }

  /** Called by `featureSlice`. */
  keepIn(slice: string, member: string): void {
    this.#place = { slice, member };
    this.#step = actionOf<Answer>(`${slice}/${member}`);
  }

  /** Gives a slice that the first page loads its fetch later, so that the routes need not load with it. */
  fetchedBy(fetch: Fetch<Q, Answer>): this {
    this.#fetch = fetch;
    return this;
  }

  of(state: State): Entries<Data, Event> {
    return (state as Record<string, Entries<Data, Event>>)[this.#place.member] ?? {};
  }

  read(root: RootState, key: string): Entry<Data, Event> | undefined {
    const slice = (root as unknown as Record<string, State>)[this.#place.slice];
    return slice === undefined ? undefined : this.of(slice)[key];
  }

  step(step: Step<Answer>) {
    return this.#step(step);
  }

  /** An action for changes that no event reports. Without a query: all entries. */
  invalidated(query?: Q) {
    return this.step({ kind: 'invalidated', key: query === undefined ? null : keyOf(query) });
  }

  handle(builder: ActionReducerMapBuilder<object>): void {
    builder.addMatcher(this.#step.match, (state, { payload }) =>
      this.#reduce(state as State, payload),
    );
    if (this.#options.isFixed) return;
    builder.addMatcher(everythingStale.match, (state) => this.invalidate(state as State));
  }

  /** Applies an event to all entries, and once more to the answer of a fetch in progress. */
  apply(state: State, event: Event): void {
    for (const [key, entry] of Object.entries(this.of(state))) {
      if (entry.status !== 'idle') entry.missed.push(event);
      this.#settle(state, key, [event]);
    }
  }

  /** Without a key: all entries. */
  invalidate(state: State, key: string | null = null): void {
    for (const [at, entry] of Object.entries(this.of(state)))
      if (key === null || at === key) entry.stale = true;
  }

  /** Forgets all entries. */
  drop(state: State): void {
    for (const key of Object.keys(this.of(state))) delete this.of(state)[key];
  }

  #reduce(state: State, step: Step<Answer>) {
    const entries = this.of(state);
    if (step.kind === 'begun') begin(entries, step);
    else if (step.kind === 'answered') this.#receive(state, step);
    else if (step.kind === 'failed') stop(entries, step.key, step.failure);
    else if (step.kind === 'aborted') stop(entries, step.key, null);
    else if (step.kind === 'invalidated') this.invalidate(state, step.key);
    else for (const key of step.keys) delete entries[key];
  }

  #receive(state: State, { key, answer, after }: Extract<Step<Answer>, { kind: 'answered' }>) {
    const entry = this.of(state)[key];
    if (!entry) return;
    const { data, cursor, missed } = entry;
    entry.status = 'idle';
    entry.failure = null;
    entry.missed = [];
    // The list has been fetched again since, so this page no longer follows its rows.
    if (after !== null && after !== cursor) return;
    const held = data === null ? null : { data, cursor };
    const query = JSON.parse(key) as Q;
    const { take } = this.#options;
    const answered = { query, answer, held, isMore: after !== null };
    Object.assign(entry, take?.(state, answered) ?? { data: answer, cursor: null });
    this.#settle(state, key, missed);
  }

  #settle(state: State, key: string, events: readonly Event[]) {
    const entry = this.of(state)[key];
    const { apply } = this.#options;
    if (!entry || !apply) return;
    const query = JSON.parse(key) as Q;
    for (const event of events)
      if (entry.data !== null)
        entry.data = apply(state, { query, cursor: entry.cursor, data: entry.data }, event);
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
      firstFetch ??= clocks();
      const held = this.read(getState(), key)?.data;
      dispatch(this.step({ kind: 'begun', key, isMore: after !== null }));
      const cursor = after ?? undefined;
      const rows = held == null ? 0 : (this.#options.rows?.(held) ?? 0);
      const read: FetchContext['read'] = (route, input) =>
        call(route, { ...input, signal, toasts: 'none' });
      if (this.#fetch === undefined) throw new Error(`Nothing fetches ${this.#place.member}`);
      const outcome = await this.#fetch(JSON.parse(key) as Q, { signal, cursor, rows, read }).then(
        (answer): Step<Answer> => ({ kind: 'answered', key, answer, after }),
        (error: unknown): Step<Answer> =>
          signal.aborted
            ? { kind: 'aborted', key }
            : { kind: 'failed', key, failure: failureOf(error) },
      );
      // Replaced by a newer fetch.
      if (this.#running.get(key) !== controller) return;
      this.#running.delete(key);
      dispatch(this.step(outcome));
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
      if (keys.length > 0) dispatch(this.step({ kind: 'dropped', keys }));
    };
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof CallError
    ? { message: error.message, status: error.status, code: error.code }
    : { message: 'Something went wrong', status: 0 };
}

function actionOf<Answer>(name: string) {
  return createAction(name, prepareAutoBatched<Step<Answer>>());
}

/** Identifies an entry of a resource, such as an id, or a tab with its search. */
export type Query = Plain | Record<string, Plain | Record<string, Plain> | undefined>;
type Plain = string | number | boolean | null;

/** Why the last fetch failed. `status` is 0 when there was no response. */
export type Failure = { message: string; status: number; code?: ErrorCode | undefined };

/** Server data under one key, in the slice of its feature. */
type Entry<Data, Event = never> = {
  /** The last answer with later events applied; null before the first. */
  data: Data | null;
  /** Start of the next page; null at the end. */
  cursor: string | null;
  status: 'idle' | 'loading' | 'growing';
  /** Why the last fetch failed; `data` stays on the screen, unless it exists no more. */
  failure: Failure | null;
  /** `data` may be out of date, so a page that shows it fetches it again. */
  stale: boolean;
  /** Events received during the current fetch, whose answer may be older. */
  missed: Event[];
};

export type Entries<Data, Event = never> = Record<string, Entry<Data, Event>>;

export type Page<Data> = { data: Data; cursor: string | null };

type Step<Answer> =
  | { kind: 'begun'; key: string; isMore: boolean }
  /** `after` is the requested cursor, null for the beginning. */
  | { kind: 'answered'; key: string; answer: Answer; after: string | null }
  | { kind: 'failed'; key: string; failure: Failure }
  | { kind: 'aborted'; key: string }
  /** Without a key: all of them. */
  | { kind: 'invalidated'; key: string | null }
  /** Beyond the number of entries kept. */
  | { kind: 'dropped'; keys: string[] };

/** An answer on its way into the slice. `isMore`: it is the next page of `held`. */
export type AnswerContext<Q extends Query, Answer, Data> = {
  query: Q;
  answer: Answer;
  held: Page<Data> | null;
  isMore: boolean;
};

/** The same key for the same query, regardless of property order. */
export function keyOf(query: Query): string {
  return JSON.stringify(query, (_, value: unknown) =>
    value instanceof Object ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]) {
  return a < b ? -1 : 1;
}

/** An entry restored from storage: shown at once and fetched again. */
export function keptEntry<Data, Event>(data: Data): Entry<Data, Event> {
  return { data, cursor: null, status: 'idle', failure: null, stale: true, missed: [] };
}

/** The entries as they are stored in the browser. */
export function keptEntries<Data, Event>(
  entries: Entries<Data, Event>,
  bounded: (data: Data) => Data,
): Entries<Data, Event> {
  const kept = Object.entries(entries).flatMap(([key, { data }]) =>
    data === null ? [] : [[key, keptEntry<Data, Event>(bounded(data))] as const],
  );
  return Object.fromEntries(kept);
}

/** A fetch of an entry begins. */
function begin<Data, Event>(
  entries: Entries<Data, Event>,
  { key, isMore }: { key: string; isMore: boolean },
) {
  const empty = { data: null, cursor: null, failure: null, stale: false, missed: [] };
  const before = entries[key] ?? empty;
  entries[key] = {
    ...before,
    // A failure beside shown data stays until the next answer.
    failure: before.data === null ? null : before.failure,
    status: isMore ? 'growing' : 'loading',
    // Invalidation during the fetch makes it stale again.
    stale: isMore && before.stale,
  };
}

/** A fetch ends without an answer. */
function stop<Data, Event>(entries: Entries<Data, Event>, key: string, failure: Failure | null) {
  const entry = entries[key];
  if (!entry) return;
  if (failure === null && entry.data === null) delete entries[key];
  entry.status = 'idle';
  entry.failure = failure;
  // It was removed, or hidden from this reader: no copy stays.
  if (failure?.status === 404) entry.data = null;
  entry.missed = [];
  entry.stale ||= failure === null;
}
