import type { ErrorCode } from '@matterdesk/contract/errors.ts';

/** Identifies an entry of a resource, such as an id, or a tab with its search. */
export type Query = Plain | Record<string, Plain | Record<string, Plain> | undefined>;
type Plain = string | number | boolean | null;

/** Why the last fetch failed. `status` is 0 when there was no response. */
export type Failure = { message: string; status: number; code?: ErrorCode | undefined };

/** Server data under one key, in the slice of its feature. */
export type Entry<Data, Event = never> = {
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
export function begin<Data, Event>(
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
export function stop<Data, Event>(
  entries: Entries<Data, Event>,
  key: string,
  failure: Failure | null,
) {
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
