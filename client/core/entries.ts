import { type ActionReducerMapBuilder, createAction, prepareAutoBatched } from '@reduxjs/toolkit';
import type { ErrorCode } from '@matterdesk/contract/errors.ts';
import { socketConnected } from './connection.ts';

/** What names one entry of a resource, such as an id, or a tab with its search. */
export type Query = Plain | Record<string, Plain | Record<string, Plain> | undefined>;
type Plain = string | number | boolean | null;

/** Why the last fetch failed. `status` is 0 when there was no answer at all. */
export type Failure = { message: string; status: number; code?: ErrorCode | undefined };

/** Server data under one key, in the slice of its feature. */
export type Entry<Data, Event = never> = {
  /** The last answer, brought up to date by events since; null before the first. */
  data: Data | null;
  /** Where the next page begins; null at the end. */
  cursor: string | null;
  status: 'idle' | 'loading' | 'growing';
  /** Why the last fetch failed; what `data` holds stays on the screen. */
  failure: Failure | null;
  /** `data` may be out of date: a page that shows it fetches it again. */
  stale: boolean;
  /** Events that arrived during the fetch under way, whose answer may be older. */
  missed: Event[];
};

export type Entries<Data, Event = never> = Record<string, Entry<Data, Event>>;

type Page<Data> = { data: Data; cursor: string | null };

export type Step<Answer> =
  | { kind: 'begun'; key: string; isMore: boolean }
  /** `after` is the cursor that was asked for, null for the beginning. */
  | { kind: 'answered'; key: string; answer: Answer; after: string | null }
  | { kind: 'failed'; key: string; failure: Failure }
  | { kind: 'aborted'; key: string }
  /** Without a key: all of them. */
  | { kind: 'invalidated'; key: string | null }
  /** There is no room for these any longer. */
  | { kind: 'dropped'; keys: string[] };

/** What a resource puts into its slice. `isMore` answers add to what is held. */
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
  /** Nothing changes it once it is there, such as the bytes of a file. */
  isFixed?: true;
  /** The data after an answer; without it, the answer is the data. */
  take?: (state: State, answered: Answered<Q, Answer, Data>) => Page<Data>;
  /** The data after an event, which may come twice and must be ignored when it is older than the data. */
  apply?: (state: State, held: Page<Data> & { query: Q }, event: Event) => Data;
}

/** The same text for the same query, whatever the order of its members. */
export function keyOf(query: Query): string {
  return JSON.stringify(query, (_, value: unknown) =>
    value instanceof Object ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]) {
  return a < b ? -1 : 1;
}

/** An entry that the browser kept: shown at once and fetched again. */
export function keptEntry<Data, Event>(data: Data): Entry<Data, Event> {
  return { data, cursor: null, status: 'idle', failure: null, stale: true, missed: [] };
}

/** What of some entries the browser keeps. */
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

  /** An action for what no event reports. Without a query: all entries. */
  invalidated(query?: Q) {
    return this.step({ kind: 'invalidated', key: query === undefined ? null : keyOf(query) });
  }

  handle(builder: ActionReducerMapBuilder<State>): void {
    builder.addMatcher(this.#step.match, (state, { payload }) =>
      this.#reduce(state as State, payload),
    );
    if (this.#options.isFixed) return;
    // What happened while the connection was down was not reported.
    builder.addMatcher(socketConnected.match, (state) => this.invalidate(state as State));
  }

  /** Brings all entries up to date; what is being fetched once more when its answer is there. */
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
    // The rows before this page are others by now.
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
    // Beside data that is shown, what went wrong stays until there is an answer.
    failure: before.data === null ? null : before.failure,
    status: isMore ? 'growing' : 'loading',
    // An event from now on makes it stale again.
    stale: isMore && before.stale,
  };
}

function stop<Data, Event>(entries: Entries<Data, Event>, key: string, failure: Failure | null) {
  const entry = entries[key];
  if (!entry) return;
  if (failure === null && entry.data === null) delete entries[key];
  entry.status = 'idle';
  entry.failure = failure;
  entry.missed = [];
  entry.stale ||= failure === null;
}
