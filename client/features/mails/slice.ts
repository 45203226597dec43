import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { mailSections, type MailSection } from '@matterdesk/contract/mail-sections.ts';
import type { MailDetail, MailReceived, MailSummary } from '@matterdesk/contract/mails.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import { mergeFirstPage } from './rules.lists.ts';

/** A section with what is searched for. */
export type ListQuery = { section: MailSection; search: string };

/** One list as far as it was read, newest first. */
export type MailList = ListQuery & {
  ids: string[];
  nextCursor: string | null;
  total: number | null;
  /** `loading` and `failed` lists have no rows; those of a `kept` one are what the browser kept. */
  status: 'loading' | 'kept' | 'ready' | 'failed';
  /** Why the last ask failed, in words. */
  failure: string | null;
  /** Asks under way. */
  asks: number;
  /** Of which connection the rows are; -1 asks afresh in any case. */
  epoch: number;
  /** When the rows were last read. */
  readAt: string | null;
};

export type MailPage = {
  mails: MailSummary[];
  nextCursor: string | null;
  total: number | null;
  unread: number | null;
};

/** The `mails` store. */
export type MailsState = {
  entities: Record<string, MailSummary>;
  lists: Record<string, MailList>;
  /** How many of the inbox are unread; null while nobody has counted them. */
  unread: number | null;
  /** How often the inbox has changed since the page was loaded. */
  news: number;
  /** Mails that were opened, the last one last. The browser keeps none of them. */
  details: MailDetail[];
  /** Why there is no connection to Google, where that is more than that nobody asked for one. */
  notice: string | null;
  /** The mailbox that was shown is not connected any longer, which nobody has asked for here. */
  isLost: boolean;
  /** Google has sent somebody back, and what it sent is being exchanged. */
  isConnecting: boolean;
};

const DETAILS_KEPT = 20;
const SEARCHES_KEPT = 4;
const ROWS_KEPT = 25;

declare module '../../core/store.ts' {
  interface RootState {
    mails: MailsState;
  }
}

const initialState: MailsState = {
  entities: {},
  lists: {},
  unread: null,
  news: 0,
  details: [],
  notice: null,
  isLost: false,
  isConnecting: false,
};

/** The name of a list in the store. */
export function listKey({ section, search }: ListQuery): string {
  return `${section} ${search}`;
}

const INBOX = listKey({ section: 'inbox', search: '' });

function isInbox(query: ListQuery): boolean {
  return listKey(query) === INBOX;
}

const slice = createSlice({
  name: 'mails',
  initialState,
  reducers: {
    listsAsked(state, { payload }: PayloadAction<{ queries: ListQuery[]; epoch: number }>) {
      for (const query of payload.queries) {
        const list = (state.lists[listKey(query)] ??= emptyList(query));
        list.asks += 1;
        list.epoch = payload.epoch;
        list.failure = null;
        if (list.status === 'failed') list.status = 'loading';
      }
      dropOldSearches(state, payload.queries);
    },
    /** Lists from their beginning. */
    listsCame(
      state,
      { payload }: PayloadAction<{ pages: { query: ListQuery; page: MailPage }[]; at: string }>,
    ) {
      for (const { query, page } of payload.pages) {
        const list = state.lists[listKey(query)];
        if (!list) continue;
        keep(state, page.mails);
        if (isInbox(query)) state.unread = page.unread;
        const held = list.status === 'ready' ? list : { ids: [], nextCursor: null };
        Object.assign(list, mergeFirstPage(held, page), {
          total: page.total,
          status: 'ready',
          asks: list.asks - 1,
          readAt: payload.at,
        });
      }
    },
    /** The page behind `after`; whoever has read the list afresh meanwhile has another one there. */
    listGrew(
      state,
      { payload }: PayloadAction<{ query: ListQuery; after: string; page: MailPage }>,
    ) {
      const list = state.lists[listKey(payload.query)];
      if (!list) return;
      list.asks -= 1;
      if (list.nextCursor !== payload.after) return;
      keep(state, payload.page.mails);
      list.ids = [...new Set([...list.ids, ...payload.page.mails.map(({ id }) => id)])];
      list.nextCursor = payload.page.nextCursor;
    },
    listsFailed(state, { payload }: PayloadAction<{ queries: ListQuery[]; failure: string }>) {
      for (const query of payload.queries) {
        const list = state.lists[listKey(query)];
        if (!list) continue;
        list.asks -= 1;
        list.failure = payload.failure;
        if (list.status === 'loading') list.status = 'failed';
      }
    },
    /** Nobody waits for the answer any longer. */
    listGivenUp(state, { payload }: PayloadAction<ListQuery>) {
      const key = listKey(payload);
      const list = state.lists[key];
      if (!list) return;
      list.asks -= 1;
      list.epoch = -1;
      if (list.asks === 0 && list.status === 'loading') delete state.lists[key];
    },
    unreadCounted(state, { payload }: PayloadAction<number | null>) {
      state.unread = payload;
    },
    /** Something in a section is new, or gone. */
    sectionChanged(state, { payload }: PayloadAction<Pick<MailReceived, 'section'>>) {
      if (payload.section === 'inbox') state.news += 1;
      for (const list of Object.values(state.lists))
        if (list.section === payload.section) list.epoch = -1;
    },
    mailOpened(state, { payload }: PayloadAction<MailDetail>) {
      const others = state.details.filter(({ id }) => id !== payload.id);
      state.details = [...others, payload].slice(-DETAILS_KEPT);
      const summary = state.entities[payload.id];
      if (!summary?.unread) return;
      summary.unread = false;
      const isCounted = state.lists[INBOX]?.ids.includes(payload.id);
      if (isCounted && state.unread) state.unread -= 1;
    },
    connecting(state) {
      state.isConnecting = true;
    },
    /** The connection to Google has changed: whatever was read belongs to another one. */
    connectionChanged(_state, { payload }: PayloadAction<{ notice: string | null }>) {
      return { ...initialState, notice: payload.notice };
    },
  },
  extraReducers: (builder) =>
    builder.addCase(currentUserReplaced, (state, { payload }) => {
      const isShown = Object.keys(state.lists).length > 0;
      if (payload.googleRefreshToken !== null || !isShown) return state;
      return { ...initialState, isLost: true };
    }),
});

function emptyList(query: ListQuery): MailList {
  return {
    ...query,
    ids: [],
    nextCursor: null,
    total: null,
    status: 'loading',
    failure: null,
    asks: 0,
    epoch: -1,
    readAt: null,
  };
}

function keep(state: MailsState, mails: readonly MailSummary[]) {
  // A list may have been asked for before the mail that is open now was read.
  const open = state.details.at(-1)?.id;
  for (const mail of mails)
    state.entities[mail.id] = mail.id === open ? { ...mail, unread: false } : mail;
}

function dropOldSearches(state: MailsState, asked: readonly ListQuery[]) {
  const keys = new Set(asked.map(listKey));
  const old = Object.entries(state.lists)
    .filter(([key, { search, asks }]) => search !== '' && asks === 0 && !keys.has(key))
    .map(([key]) => key)
    .slice(0, -SEARCHES_KEPT);
  if (old.length === 0) return;
  for (const key of old) delete state.lists[key];
  const shown = new Set(Object.values(state.lists).flatMap(({ ids }) => ids));
  for (const id of Object.keys(state.entities)) if (!shown.has(id)) delete state.entities[id];
}

/** What the browser keeps: the first rows of each section, and no mail's text. */
export function keptMails({ entities, lists, unread, notice }: MailsState): MailsState {
  const kept = mailSections.flatMap((section) => {
    const list = lists[listKey({ section, search: '' })];
    return list && list.ids.length > 0 ? [list] : [];
  });
  const first = kept.map((list) => ({
    ...emptyList(list),
    ids: list.ids.slice(0, ROWS_KEPT),
    total: list.total,
    readAt: list.readAt,
    status: 'kept' as const,
  }));
  const ids = first.flatMap((list) => list.ids);
  const mails = ids.flatMap((id) => entities[id] ?? []);
  return {
    ...initialState,
    entities: Object.fromEntries(mails.map((mail) => [mail.id, mail])),
    lists: Object.fromEntries(first.map((list) => [listKey(list), list])),
    unread,
    notice,
  };
}

export const {
  listsAsked,
  listsCame,
  listGrew,
  listsFailed,
  listGivenUp,
  unreadCounted,
  sectionChanged,
  mailOpened,
  connecting,
  connectionChanged,
} = slice.actions;
export const mailsReducer = slice.reducer;
