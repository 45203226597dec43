import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Library } from '@matterdesk/contract/files.ts';
import { mailSections, type MailSection } from '@matterdesk/contract/mail-sections.ts';
import type { MailDetail, MailReceived, MailSummary } from '@matterdesk/contract/mails.ts';
import { socketConnected } from '../../core/connection.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import {
  type Answered,
  type Entries,
  keptEntry,
  keyOf,
  ResourceState,
} from '../../core/entries.ts';
import { mergeFirstPage } from './rules.lists.ts';

/** A section with what is searched for. */
export type ListQuery = { section: MailSection; search: string };

/** One list as far as it was read, newest first. */
export type MailList = {
  mails: MailSummary[];
  total: number | null;
  /** When the first page was asked for. */
  readAt: string;
  /** Ids that were announced since; null when only the whole first page shows what changed. */
  news: string[] | null;
  /** The rows are what the browser kept from an earlier visit. */
  isKept: boolean;
};

export type MailPage = {
  mails: MailSummary[];
  nextCursor: string | null;
  total: number | null;
  unread: number | null;
  askedAt: string;
};

export type OpenedMail = { mail: MailDetail; readAt: string };

/** The `mails` store. */
export type MailsState = {
  lists: Entries<MailList, MailReceived>;
  /** By id. The browser keeps none of them. */
  details: Entries<OpenedMail>;
  /** How many of the inbox are unread, in one entry. */
  unread: Entries<number | null>;
  /** What can be attached from a case, by its id. */
  libraries: Entries<Library>;
  /** Why there is no connection to Google, if there is more to say than that it was never made. */
  notice: string | null;
  /** The mailbox that was shown was disconnected elsewhere. */
  isLost: boolean;
  /** What Google sent back is being exchanged. */
  isConnecting: boolean;
};

declare module '../../core/store.ts' {
  interface RootState {
    mails: MailsState;
  }
}

const ROWS_KEPT = 25;

const initialState: MailsState = {
  lists: {},
  details: {},
  unread: {},
  libraries: {},
  notice: null,
  isLost: false,
  isConnecting: false,
};

export const UNREAD = 'inbox';
const INBOX = keyOf({ section: 'inbox', search: '' } satisfies ListQuery);

export const lists = new ResourceState({
  name: 'mails/lists',
  of: (state: MailsState) => state.lists,
  take(state, { query, answer, held, isMore }: Answered<ListQuery, MailPage, MailList>) {
    const mails = answer.mails.map((mail) => withOpened(state, mail, answer.askedAt));
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
    // What arrived on the way is applied to this answer next, and may be part of it.
    if (entry && held && held.data.news !== null) entry.stale = false;
    if (key === INBOX) setUnread(state, answer.unread);
    const before = held && !held.data.isKept ? held : null;
    const rows = before && { mails: before.data.mails, cursor: before.cursor };
    const merged = mergeFirstPage(rows, { mails, cursor: answer.nextCursor });
    const { total, askedAt } = answer;
    return {
      data: { mails: merged.mails, total, readAt: askedAt, news: [], isKept: false },
      cursor: merged.cursor,
    };
  },
  apply(state, { query, data }, { section, ids }: MailReceived): MailList {
    if (query.section !== section) return data;
    const known = new Set([...data.mails.map(({ id }) => id), ...(data.news ?? [])]);
    const fresh = ids.filter((id) => !known.has(id));
    if (ids.length > 0 && fresh.length === 0) return data;
    const entry = state.lists[keyOf(query)];
    if (entry) entry.stale = true;
    // Whether a search finds what is new only the server knows.
    const isAnnounced = ids.length > 0 && query.search === '' && data.news !== null;
    return { ...data, news: isAnnounced ? [...(data.news ?? []), ...fresh] : null };
  },
});

export const details = new ResourceState({
  name: 'mails/details',
  of: (state: MailsState) => state.details,
  take(state, { query: id, answer }: Answered<string, OpenedMail, OpenedMail>) {
    for (const [key, { data }] of Object.entries(state.lists)) {
      const summary = data?.mails.find((mail) => mail.id === id);
      if (!summary?.unread) continue;
      summary.unread = false;
      const count = state.unread[keyOf(UNREAD)];
      if (key === INBOX && count?.data) count.data -= 1;
    }
    return { data: answer, cursor: null };
  },
});

export const unread = new ResourceState<MailsState, string, number | null>({
  name: 'mails/unread',
  of: (state) => state.unread,
});

export const libraries = new ResourceState<MailsState, string, Library>({
  name: 'mails/libraries',
  of: (state) => state.libraries,
});

const slice = createSlice({
  name: 'mails',
  initialState,
  reducers: {
    /** Something in a section is new, or changed: without ids, nothing more is known. */
    sectionChanged(state, { payload }: PayloadAction<MailReceived>) {
      if (payload.section === 'inbox') unread.invalidate(state);
      for (const entry of Object.values(state.lists))
        if (entry.data === null && entry.failure) entry.stale = true;
      lists.apply(state, payload);
    },
    connecting(state) {
      state.isConnecting = true;
    },
    /** The connection to Google has changed: what was read belongs to another one. */
    connectionChanged(_state, { payload }: PayloadAction<{ notice: string | null }>) {
      return { ...initialState, notice: payload.notice };
    },
  },
  extraReducers(builder) {
    builder
      .addCase(currentUserReplaced, (state, { payload }) => {
        const isShown = Object.keys(state.lists).length > 0;
        if (payload.googleRefreshToken !== null || !isShown) return state;
        return { ...initialState, isLost: true };
      })
      .addCase(socketConnected, (state) => {
        for (const { data } of Object.values(state.lists)) if (data) data.news = null;
      });
    lists.handle(builder);
    details.handle(builder);
    unread.handle(builder);
    libraries.handle(builder);
  },
});

/** A list may have been asked for before a mail was opened, which marks it as read. */
function withOpened(state: MailsState, mail: MailSummary, askedAt: string): MailSummary {
  const opened = state.details[keyOf(mail.id)]?.data;
  if (!mail.unread || !opened) return mail;
  if (opened.readAt >= askedAt) return { ...mail, unread: false };
  // Marked as unread since: opening it reads it again.
  details.invalidate(state, keyOf(mail.id));
  return mail;
}

function setUnread(state: MailsState, count: number | null) {
  state.unread[keyOf(UNREAD)] = { ...keptEntry(count), stale: false };
}

export function unreadMails({ unread: counted }: MailsState): number {
  return counted[keyOf(UNREAD)]?.data ?? 0;
}

/** The row of a mail in any list. */
export function findSummary({ lists: all }: MailsState, id: string): MailSummary | undefined {
  for (const { data } of Object.values(all)) {
    const found = data?.mails.find((mail) => mail.id === id);
    if (found) return found;
  }
  return undefined;
}

/** What the browser keeps: the first rows of each section, and no mail's text. */
export function keptMails({ lists: all, unread: counted, notice }: MailsState): MailsState {
  const first = mailSections.flatMap((section) => {
    const key = keyOf({ section, search: '' });
    const data = all[key]?.data;
    if (!data || data.mails.length === 0) return [];
    const mails = data.mails.slice(0, ROWS_KEPT);
    const kept: MailList = { ...data, mails, news: null, isKept: true };
    return [[key, keptEntry<MailList, MailReceived>(kept)] as const];
  });
  const count = counted[keyOf(UNREAD)]?.data ?? null;
  return {
    ...initialState,
    lists: Object.fromEntries(first),
    unread: count === null ? {} : { [keyOf(UNREAD)]: keptEntry(count) },
    notice,
  };
}

export const { sectionChanged, connecting, connectionChanged } = slice.actions;
export const mailsReducer = slice.reducer;
