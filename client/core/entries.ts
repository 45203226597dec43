import { type ActionReducerMapBuilder, createAction, prepareAutoBatched } from '@reduxjs/toolkit';
import type { ErrorCode } from '@matterdesk/contract/errors.ts';
import { socketConnected } from './connection.ts';

/** Identifies an entry of a resource, such as an id, or a tab with its search. */
export type Query = Plain | Record<string, Plain | Record<string, Plain> | undefined>;
type Plain = string | number | boolean | null;

/** Why the last fetch failed. `status` is 0 when there was no response. */
export type Failure = { message: string; status: number; code?: ErrorCode | undefined };

/** Server data under one key, in the slice of its feature. */
export type Entry<Data, Event = never> = {
  /** The last answer with later events applied; null before the first. */
  data: Data | null;
  /** Where the next page begins; null at the end. */
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

type Page<Data> = { data: Data; cursor: string | null };

export type Step<Answer> =
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
export type Answered<Q extends Query, Answer, Data> = {
  query: Q;
  answer: Answer;
  held: Page<Data> | null;
  isMore: boolean;
};

interface ResourceStateOptions<State, Q extends Query, Answer, Data, Event> {
  /** Unique, such as `cases/lists`. */
  name: string;
  /** Where the slice keeps the entries. */
  of: (state: State) => Entries<Data, Event>;
  /** The data never changes, such as the content of a file. */
  isFixed?: true;
  /** The data after an answer; without it, the answer is the data. */
  take?: (state: State, answered: Answered<Q, Answer, Data>) => Page<Data>;
  /** The data after an event. Events may arrive twice, and those older than the data must be ignored. */
  apply?: (state: State, held: Page<Data> & { query: Q }, event: Event) => Data;
}

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

/**
 * The half of a resource that belongs in a slice: how its entries change.
 * `handle` goes into `extraReducers`, `apply` and `invalidate` into the reducers of events.
 */
export class ResourceState<State, Q extends Query, Answer, Data = Answer, Event = never> {
  readonly of: (state: State) => Entries<Data, Event>;
  readonly #options: ResourceStateOptions<State, Q, Answer, Data, Event>;
  readonly #step;

  constructor(options: ResourceStateOptions<State, Q, Answer, Data, Event>) {
    this.of = options.of;
    this.#options = options;
    this.#step = createAction(options.name, prepareAutoBatched<Step<Answer>>());
  }

  step(step: Step<Answer>) {
    return this.#step(step);
  }

  /** An action for changes that no event reports. Without a query: all entries. */
  invalidated(query?: Q) {
    return this.step({ kind: 'invalidated', key: query === undefined ? null : keyOf(query) });
  }

  handle(builder: ActionReducerMapBuilder<State>): void {
    builder.addMatcher(this.#step.match, (state, { payload }) =>
      this.#reduce(state as State, payload),
    );
    if (this.#options.isFixed) return;
    // Events are lost while the connection is down.
    builder.addMatcher(socketConnected.match, (state) => this.invalidate(state as State));
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
}

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
