import type { PayloadAction } from '@reduxjs/toolkit';
import { mailSections, type MailSection } from '@matterdesk/contract/mail-sections.ts';
import type {
  MailDetail,
  MailReceived,
  MailSummary,
  ThreadMail,
} from '@matterdesk/contract/mails.ts';
import { everythingStale } from '../../core/connection.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { currentUserReplaced } from '../../core/people.ts';
import {
  type AnswerContext,
  type Entries,
  keptEntry,
  keyOf,
  resource,
} from '../../core/resource.ts';

export type ListQuery = { section: MailSection; search: string };

/** The loaded part of a list, newest first. */
type MailList = {
  mails: MailSummary[];
  total: number | null;
  /** When the first page was requested. */
  readAt: string;
  /** Ids announced since; null if only the whole first page shows what changed. */
  news: string[] | null;
  /** Whether the rows come from the browser's storage. */
  isKept: boolean;
};

/** A mail that left a section, or all of them. */
type LeftMail = { id: string; section: MailSection | null };

/** Changes to a list: announced mails, or one mail that left or is read or unread. */
type ListEvent = MailReceived | LeftMail | { id: string; unread: boolean };

export type MailPage = {
  mails: MailSummary[];
  nextCursor: string | null;
  total: number | null;
  unread: number | null;
  requestedAt: string;
};

export type OpenedMail = { mail: MailDetail; readAt: string };

/** The `mails` store. */
export type MailsState = {
  lists: Entries<MailList, ListEvent>;
  /** Keyed by mail id. Never stored in the browser. */
  details: Entries<OpenedMail>;
  /** Mails of a thread, keyed by id. Never stored in the browser. */
  threads: Entries<ThreadMail[]>;
  /** The number of unread mails in the inbox, as a single entry. */
  unread: Entries<number | null>;
  /** Why there is no connection to Google, unless there never was a connection. */
  notice: string | null;
  /** Whether the shown mailbox was disconnected elsewhere. */
  isLost: boolean;
  /** Whether the code from Google is being exchanged. */
  isConnecting: boolean;
};

declare module '../../core/store.ts' {
  interface RootState {
    mails: MailsState;
  }
}

const ROWS_KEPT = 25;

/** The state beside the resources. */
const own: Omit<MailsState, 'lists' | 'details' | 'threads' | 'unread'> = {
  notice: null,
  isLost: false,
  isConnecting: false,
};

export const UNREAD = 'inbox';
const INBOX = keyOf({ section: 'inbox', search: '' } satisfies ListQuery);

export const lists = resource({
  kept: 7,
  take(
    state: MailsState,
    { query, answer, held, isMore }: AnswerContext<ListQuery, MailPage, MailList>,
  ) {
    const mails = answer.mails.map((mail) => withOpened(state, mail, answer.requestedAt));
    if (isMore && held) {
      const known = new Set(held.data.mails.map(({ id }) => id));
      const more = mails.filter(({ id }) => !known.has(id));
      return {
        data: { ...held.data, mails: [...held.data.mails, ...more] },
        cursor: answer.nextCursor,
      };
    }
    const key = keyOf(query);
    const entry = state.lists[key];
    // Events received during the fetch are applied to this answer next, which may already include them.
    if (entry && held && held.data.news !== null) entry.stale = false;
    if (key === INBOX) setUnread(state, answer.unread);
    const before = held && !held.data.isKept ? held : null;
    const rows = before && { mails: before.data.mails, cursor: before.cursor };
    const merged = mergeFirstPage(rows, { mails, cursor: answer.nextCursor });
    const { total, requestedAt } = answer;
    return {
      data: { mails: merged.mails, total, readAt: requestedAt, news: [], isKept: false },
      cursor: merged.cursor,
    };
  },
  apply(state: MailsState, { query, data }, event: ListEvent): MailList {
    if ('ids' in event) return announce(state, { query, data }, event);
    const row = data.mails.find(({ id }) => id === event.id);
    if (!row) return data;
    const isInbox = keyOf(query) === INBOX;
    if ('unread' in event) {
      if (isInbox && row.unread !== event.unread) addUnread(state, event.unread ? 1 : -1);
      row.unread = event.unread;
      return data;
    }
    if (event.section !== null && event.section !== query.section) return data;
    if (isInbox && row.unread) addUnread(state, -1);
    const mails = data.mails.filter((mail) => mail !== row);
    return { ...data, mails, total: data.total === null ? null : data.total - 1 };
  },
});

/** Marks a list as stale when its section gets new mails, and announces these. */
function announce(
  state: MailsState,
  { query, data }: { query: ListQuery; data: MailList },
  { section, ids }: MailReceived,
): MailList {
  if (query.section !== section) return data;
  const known = new Set([...data.mails.map(({ id }) => id), ...(data.news ?? [])]);
  const fresh = ids.filter((id) => !known.has(id));
  if (ids.length > 0 && fresh.length === 0) return data;
  const entry = state.lists[keyOf(query)];
  if (entry) entry.stale = true;
  // Only the server knows whether a search matches new mails.
  const isAnnounced = ids.length > 0 && query.search === '' && data.news !== null;
  return { ...data, news: isAnnounced ? [...(data.news ?? []), ...fresh] : null };
}

export const details = resource({
  kept: 20,
  take(state: MailsState, { query: id, answer }: AnswerContext<string, OpenedMail, OpenedMail>) {
    lists.apply(state, { id, unread: false });
    return { data: answer, cursor: null };
  },
});

export const threads = resource<string, ThreadMail[]>({
  kept: 20,
});

const unread = resource<string, number | null>({
  kept: 1,
});

const EMPTY: MailsState = {
  ...own,
  lists: {},
  details: {},
  threads: {},
  unread: {},
};

const slice = featureSlice(
  'mails',
  { lists, details, threads, unread },
  {
    state: own,
    on: {
      /** Mails of a section are new; without ids, anything in it may have changed. */
      sectionChanged(state, { payload }: PayloadAction<MailReceived>) {
        if (payload.section === 'inbox') unread.invalidate(state);
        for (const entry of Object.values(state.lists))
          if (entry.data === null && entry.failure) entry.stale = true;
        lists.apply(state, payload);
        threads.invalidate(state);
      },
      /** A mail was archived, or trashed and thereby left every section. */
      mailLeft(state, { payload }: PayloadAction<LeftMail>) {
        lists.apply(state, payload);
        threads.invalidate(state);
      },
      markedUnread(state, { payload: id }: PayloadAction<string>) {
        lists.apply(state, { id, unread: true });
        // Opening it again must mark it as read at Google.
        delete state.details[keyOf(id)];
      },
      connecting(state) {
        state.isConnecting = true;
      },
      /** The connection to Google has changed, so the loaded mails no longer belong to it. */
      connectionChanged(_state, { payload }: PayloadAction<{ notice: string | null }>) {
        return { ...EMPTY, notice: payload.notice };
      },
    },
    others(builder) {
      builder
        .addCase(currentUserReplaced, (state, { payload }) => {
          const isShown = Object.keys(state.lists).length > 0;
          if (payload.googleRefreshToken !== null || !isShown) return state;
          return { ...EMPTY, isLost: true };
        })
        .addMatcher(everythingStale.match, (state) => {
          for (const { data } of Object.values(state.lists)) if (data) data.news = null;
        });
    },
  },
);

/** Keeps a mail read if it was opened after the list was requested. */
function withOpened(state: MailsState, mail: MailSummary, requestedAt: string): MailSummary {
  const opened = state.details[keyOf(mail.id)]?.data;
  if (!mail.unread || !opened) return mail;
  if (opened.readAt >= requestedAt) return { ...mail, unread: false };
  // Marked as unread since, so opening it must fetch it again.
  details.invalidate(state, keyOf(mail.id));
  return mail;
}

function addUnread(state: MailsState, change: number) {
  const count = state.unread[keyOf(UNREAD)];
  if (typeof count?.data === 'number') count.data += change;
}

function setUnread(state: MailsState, count: number | null) {
  state.unread[keyOf(UNREAD)] = { ...keptEntry(count), stale: false };
}

export function unreadMails({ unread: counted }: MailsState): number {
  return counted[keyOf(UNREAD)]?.data ?? 0;
}

/** The row of a mail in any list. */
export function findSummary(
  { lists: all, threads: read }: MailsState,
  id: string,
): MailSummary | undefined {
  const listed = Object.values(all).map(({ data }) => data?.mails);
  for (const mails of [...listed, ...Object.values(read).map(({ data }) => data)]) {
    const found = mails?.find((mail) => mail.id === id);
    if (found) return found;
  }
  return undefined;
}

/** State that is stored in the browser: the first rows of each section, but no mail's text. */
export function keptMails({ lists: all, unread: counted, notice }: MailsState): MailsState {
  const first = mailSections.flatMap((section) => {
    const key = keyOf({ section, search: '' });
    const data = all[key]?.data;
    if (!data || data.mails.length === 0) return [];
    const mails = data.mails.slice(0, ROWS_KEPT);
    const kept: MailList = { ...data, mails, news: null, isKept: true };
    return [[key, keptEntry<MailList, ListEvent>(kept)] as const];
  });
  const count = counted[keyOf(UNREAD)]?.data ?? null;
  return {
    ...EMPTY,
    lists: Object.fromEntries(first),
    unread: count === null ? {} : { [keyOf(UNREAD)]: keptEntry(count) },
    notice,
  };
}

export const { sectionChanged, mailLeft, markedUnread, connecting, connectionChanged } =
  slice.actions;
export const mailsReducer = slice.reducer;

/** The number of unread mails in the inbox. Separate from `api.ts`, which a user without a mailbox never loads. */
export const unreadCount = unread.fetchedBy(async (_query: string, { signal }) =>
  (await import('./api.ts')).countUnread(signal),
);

type Rows<Mail> = { mails: Mail[]; cursor: string | null };

/**
 * Merges a newly fetched first page into a list. Later rows stay if the new page reaches them; rows
 * missing within the page were removed.
 */
export function mergeFirstPage<Mail extends { id: string }>(
  held: Rows<Mail> | null,
  first: Rows<Mail>,
): Rows<Mail> {
  const end = held?.mails.findIndex(({ id }) => id === first.mails.at(-1)?.id) ?? -1;
  const known = new Set(first.mails.map(({ id }) => id));
  const behind = held?.mails.slice(end + 1).filter(({ id }) => !known.has(id)) ?? [];
  if (!held || end < 0 || first.cursor === null || behind.length === 0) return first;
  return { mails: [...first.mails, ...behind], cursor: held.cursor };
}
