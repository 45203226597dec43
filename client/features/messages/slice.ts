import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { laterOf, otherEnd } from './rules.order.ts';

/** What is held of a conversation: its end, oldest first, and whether there is more before it. */
export type History = {
  messages: TextMessage[];
  nextCursor: string | null;
  status: 'loading' | 'ready' | 'failed';
  /** The page before what is held. */
  earlier: 'idle' | 'loading' | 'failed';
};

/**
 * The `messages` store. Messages themselves are held for the contacts that were opened last and kept
 * by no browser; contacts that were added and what was written and not sent are kept.
 */
export type MessagesState = {
  conversations: Conversation[];
  status: 'idle' | 'loading' | 'ready' | 'failed';
  /** Numbers that were added here and have no message yet, the last one first. */
  added: string[];
  drafts: Record<string, string>;
  /** What was sent and not answered, with the key that keeps a repeat from being a second text. */
  attempts: Record<string, Attempt>;
  histories: Record<string, History>;
  /** The number whose conversation stands on the screen. */
  open: string | null;
  /** Grows when something was heard that only the server can place. */
  doubts: number;
};

export type Attempt = { text: string; key: string; isBusy: boolean };

/** A page of a history, as it was asked for. */
export type HistoryPage = {
  number: string;
  messages: TextMessage[];
  nextCursor: string | null;
};

/** A message of one's own number, and whether somebody is before the screen. */
type Heard = { own: string; message: TextMessage; isSeen: boolean };

const MOST_HISTORIES = 12;

declare module '../../core/store.ts' {
  interface RootState {
    messages: MessagesState;
  }
}

const initialState: MessagesState = {
  conversations: [],
  status: 'idle',
  added: [],
  drafts: {},
  attempts: {},
  histories: {},
  open: null,
  doubts: 0,
};

const slice = createSlice({
  name: 'messages',
  initialState,
  reducers: {
    conversationsAsked(state) {
      if (state.status !== 'ready') state.status = 'loading';
    },
    conversationsCame(state, { payload }: PayloadAction<Conversation[]>) {
      const held = new Map(state.conversations.map((one) => [one.phoneNumber, one]));
      state.conversations = payload
        .map((one) => newerOf(held.get(one.phoneNumber), one))
        .toSorted((a, b) => sentAt(b).localeCompare(sentAt(a)));
      state.status = 'ready';
      const open = find(state, state.open ?? '');
      // The list may have been read before the conversation was.
      if (open && state.histories[open.phoneNumber]?.status === 'ready') open.unread = 0;
      const known = new Set(payload.map(({ phoneNumber }) => phoneNumber));
      state.added = state.added.filter((number) => !known.has(number));
    },
    conversationsFailed(state) {
      if (state.status !== 'ready') state.status = 'failed';
    },
    contactAdded(state, { payload }: PayloadAction<string>) {
      const isThere = state.conversations.some(({ phoneNumber }) => phoneNumber === payload);
      if (!isThere) state.added = [payload, ...state.added.filter((one) => one !== payload)];
    },
    contactForgotten(state, { payload }: PayloadAction<string>) {
      state.added = state.added.filter((number) => number !== payload);
      delete state.drafts[payload];
    },
    draftWritten(state, { payload }: PayloadAction<{ number: string; text: string }>) {
      if (payload.text === '') delete state.drafts[payload.number];
      else state.drafts[payload.number] = payload.text;
    },
    sendingBegun(state, { payload }: PayloadAction<{ number: string; text: string; key: string }>) {
      const { number, text, key } = payload;
      state.attempts[number] = { text, key, isBusy: true };
    },
    /** Without an answer one can only try again, with the same key; with one it is over. */
    sendingEnded(
      state,
      { payload }: PayloadAction<{ number: string; isAnswered: boolean; isTaken: boolean }>,
    ) {
      const attempt = state.attempts[payload.number];
      if (attempt) attempt.isBusy = false;
      if (payload.isAnswered) delete state.attempts[payload.number];
      if (payload.isTaken) delete state.drafts[payload.number];
    },
    historyAsked(state, { payload: number }: PayloadAction<string>) {
      const held = state.histories[number];
      delete state.histories[number];
      const fresh: History = { messages: [], nextCursor: null, status: 'loading', earlier: 'idle' };
      // The one that was opened last stands last.
      state.histories[number] = held?.status === 'ready' ? held : fresh;
      const [oldest] = Object.keys(state.histories);
      if (oldest !== undefined && Object.keys(state.histories).length > MOST_HISTORIES)
        delete state.histories[oldest];
    },
    historyCame(state, { payload }: PayloadAction<HistoryPage>) {
      const held = state.histories[payload.number];
      if (!held) return;
      const ids = new Set(held.messages.map(({ id }) => id));
      const meets = payload.messages.some(({ id }) => ids.has(id));
      if (!meets) {
        // What was sent or heard while the answer was on its way is newer than the answer.
        const newest = payload.messages.at(-1)?.dateSent ?? '';
        const since = held.messages.filter(({ dateSent }) => dateSent > newest);
        held.messages = since;
        held.nextCursor = payload.nextCursor;
      }
      for (const message of payload.messages) put(held, message);
      held.status = 'ready';
      const conversation = find(state, payload.number);
      if (conversation) conversation.unread = 0;
    },
    conversationOpened(state, { payload }: PayloadAction<string>) {
      state.open = payload;
    },
    conversationClosed(state, { payload }: PayloadAction<string>) {
      if (state.open === payload) state.open = null;
    },
    historyFailed(state, { payload: number }: PayloadAction<string>) {
      const held = state.histories[number];
      if (held && held.status !== 'ready') held.status = 'failed';
    },
    earlierAsked(state, { payload: number }: PayloadAction<string>) {
      const held = state.histories[number];
      if (held) held.earlier = 'loading';
    },
    earlierCame(state, { payload }: PayloadAction<HistoryPage & { after: string }>) {
      const held = state.histories[payload.number];
      if (!held || held.nextCursor !== payload.after) return;
      const ids = new Set(held.messages.map(({ id }) => id));
      const earlier = payload.messages.filter(({ id }) => !ids.has(id));
      held.messages.unshift(...earlier);
      held.nextCursor = payload.nextCursor;
      held.earlier = 'idle';
    },
    earlierFailed(state, { payload: number }: PayloadAction<string>) {
      const held = state.histories[number];
      if (held) held.earlier = 'failed';
    },
    /** A message is new or stands differently, here or elsewhere. */
    messageHeard(state, { payload: { own, message, isSeen } }: PayloadAction<Heard>) {
      const number = otherEnd(message, own);
      const held = state.histories[number];
      const isNew = !held?.messages.some(({ id }) => id === message.id);
      if (held) put(held, message);
      const at = state.conversations.findIndex(({ phoneNumber }) => phoneNumber === number);
      const conversation = state.conversations[at];
      if (!conversation) {
        // Whose number it is only the server knows.
        state.doubts += 1;
        return;
      }
      const last = conversation.lastMessage;
      const isRead = isSeen && state.open === number;
      if (message.status === 'received' && isNew && last?.id !== message.id && !isRead)
        conversation.unread += 1;
      if (last?.id === message.id) conversation.lastMessage = laterOf(last, message);
      else if (!last || message.dateSent >= last.dateSent) {
        conversation.lastMessage = message;
        state.conversations.splice(at, 1);
        state.conversations.unshift(conversation);
      }
    },
  },
});

function find(state: MessagesState, number: string) {
  return state.conversations.find(({ phoneNumber }) => phoneNumber === number);
}

/** A list may be older than what was heard while it was on its way. */
function newerOf(held: Conversation | undefined, listed: Conversation): Conversation {
  if (!held?.lastMessage || sentAt(held) <= sentAt(listed)) return listed;
  return { ...listed, lastMessage: held.lastMessage, unread: held.unread };
}

function sentAt({ lastMessage }: Conversation): string {
  return lastMessage?.dateSent ?? '';
}

/** Into its place by time; of the same moment, behind those that are there. */
function put(history: History, message: TextMessage) {
  const at = history.messages.findLastIndex(({ id }) => id === message.id);
  const held = history.messages[at];
  if (held) {
    history.messages[at] = laterOf(held, message);
    return;
  }
  const after = history.messages.findLastIndex(({ dateSent }) => dateSent <= message.dateSent);
  history.messages.splice(after + 1, 0, message);
}

/** Everybody one can write to: who was added last, then by the newest message. */
export const selectContacts = createSelector(
  [(state: MessagesState) => state.added, (state: MessagesState) => state.conversations],
  (added, conversations): Conversation[] => {
    const fresh = added.map((phoneNumber) => ({
      phoneNumber,
      unread: 0,
      lastMessage: null,
      name: null,
      caseId: null,
    }));
    return [...fresh, ...conversations];
  },
);

export function unreadOf({ conversations }: MessagesState): number {
  return conversations.reduce((sum, { unread }) => sum + unread, 0);
}

const MOST_KEPT = 200;

/** What the browser keeps: enough for the list to stand at once, and all that is nowhere else. */
export function keptMessages({ conversations, added, drafts, attempts }: MessagesState) {
  const unanswered = Object.entries(attempts).map(
    ([number, attempt]) => [number, { ...attempt, isBusy: false }] as const,
  );
  return {
    conversations: conversations.slice(0, MOST_KEPT),
    added,
    drafts,
    attempts: Object.fromEntries(unanswered),
  };
}

export const {
  conversationsAsked,
  conversationsCame,
  conversationsFailed,
  conversationOpened,
  conversationClosed,
  contactAdded,
  contactForgotten,
  draftWritten,
  sendingBegun,
  sendingEnded,
  historyAsked,
  historyCame,
  historyFailed,
  earlierAsked,
  earlierCame,
  earlierFailed,
  messageHeard,
} = slice.actions;
export const messagesReducer = slice.reducer;
