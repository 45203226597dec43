import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type {
  Consent,
  Conversation,
  NumberOffer,
  RegistrationState,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import {
  type Answered,
  type Entries,
  keptEntry,
  keyOf,
  ResourceState,
} from '../../core/entries.ts';
import type { Click } from '../../core/use-click-key.ts';
import { laterOf, mergePage, otherEnd, placed } from './rules.order.ts';

/** The two ends of a conversation. */
export type Pair = { from: string; to: string };

export type HistoryPage = { messages: TextMessage[]; nextCursor: string | null };

export type OwnNumber = { registration: RegistrationState | null; notice: string | null };

/** A message of the user's number. */
type Heard = {
  own: string;
  message: TextMessage;
  /** The page is in view, so that its open conversation is read. */
  isSeen: boolean;
};
/** With what the store knew when it arrived: the same event may be applied twice. */
type Arrived = Heard & { isNew: boolean };

export type Attempt = Click & { isBusy: boolean };

/**
 * The `messages` store. The browser keeps no history; it keeps contacts that were added here and
 * what was written and not sent.
 */
export type MessagesState = {
  /** All of them, in one entry. */
  conversations: Entries<Conversation[], Arrived>;
  /** The end of each conversation, oldest message first, by its pair. */
  histories: Entries<TextMessage[], Arrived>;
  /** What a number last said about texts. */
  consents: Entries<{ consent: Consent | null }>;
  /** What is known of the user's own number. */
  numbers: Entries<OwnNumber>;
  /** Numbers that can be bought, by area code. */
  offers: Entries<NumberOffer[]>;
  /** Numbers that were added here and have no message yet, the last one first. */
  added: string[];
  drafts: Record<string, string>;
  /** What was sent and not answered, with the key that keeps a repeat from being a second text. */
  attempts: Record<string, Attempt>;
  /** The number whose conversation is on the screen. */
  open: string | null;
};

declare module '../../core/store.ts' {
  interface RootState {
    messages: MessagesState;
  }
}

export const ALL = 'all';
const LIST = keyOf(ALL);
const MOST_KEPT = 200;

const initialState: MessagesState = {
  conversations: {},
  histories: {},
  consents: {},
  numbers: {},
  offers: {},
  added: [],
  drafts: {},
  attempts: {},
  open: null,
};

export const conversations = new ResourceState({
  name: 'messages/conversations',
  of: (state: MessagesState) => state.conversations,
  take(state, { answer }: Answered<string, Conversation[], Conversation[]>) {
    const known = new Set(answer.map(({ phoneNumber }) => phoneNumber));
    state.added = state.added.filter((number) => !known.has(number));
    const data = answer
      // The list may have been read before the open conversation was.
      .map((one) => (isRead(state, one.phoneNumber) ? { ...one, unread: 0 } : one))
      .toSorted((a, b) => sentAt(b).localeCompare(sentAt(a)));
    return { data, cursor: null };
  },
  apply(state, { data }, { own, message, isSeen, isNew }: Arrived) {
    const number = otherEnd(message, own);
    const conversation = data.find(({ phoneNumber }) => phoneNumber === number);
    const last = conversation?.lastMessage;
    const isLatest = !last || message.dateSent >= last.dateSent;
    const isReceived = message.status === 'received' && isNew;
    if (!conversation || (isReceived && !isLatest)) {
      // Whose number it is, or whether it is counted already, only the server knows.
      const entry = state.conversations[LIST];
      if (entry) entry.stale = true;
      return data;
    }
    if (last?.id === message.id) {
      conversation.lastMessage = laterOf(last, message);
      return data;
    }
    if (!isLatest) return data;
    if (isReceived && !(isSeen && state.open === number)) conversation.unread += 1;
    conversation.lastMessage = message;
    return [conversation, ...data.filter((other) => other !== conversation)];
  },
});

export const histories = new ResourceState({
  name: 'messages/histories',
  of: (state: MessagesState) => state.histories,
  take(state, { query, answer, held, isMore }: Answered<Pair, HistoryPage, TextMessage[]>) {
    const merged = mergePage(
      held && { messages: held.data, nextCursor: held.cursor },
      answer,
      isMore,
    );
    if (!isMore) {
      const conversation = find(state, query.to);
      if (conversation) conversation.unread = 0;
      if (saidLast(merged.messages) !== saidLast(held?.data ?? [])) doubtConsent(state, query.to);
    }
    return { data: merged.messages, cursor: merged.nextCursor };
  },
  apply: (_state, { query, data }, { own, message }: Arrived) =>
    otherEnd(message, own) === query.to ? placed(data, message) : data,
});

export const consents = new ResourceState<MessagesState, string, { consent: Consent | null }>({
  name: 'messages/consents',
  of: (state) => state.consents,
});

export const numbers = new ResourceState<MessagesState, string, OwnNumber>({
  name: 'messages/numbers',
  of: (state) => state.numbers,
});

export const offers = new ResourceState<MessagesState, string, NumberOffer[]>({
  name: 'messages/offers',
  of: (state) => state.offers,
});

const slice = createSlice({
  name: 'messages',
  initialState,
  reducers: {
    contactAdded(state, { payload }: PayloadAction<string>) {
      if (!find(state, payload))
        state.added = [payload, ...state.added.filter((number) => number !== payload)];
    },
    contactForgotten(state, { payload }: PayloadAction<string>) {
      state.added = state.added.filter((number) => number !== payload);
      delete state.drafts[payload];
    },
    draftWritten(state, { payload }: PayloadAction<{ number: string; text: string }>) {
      if (payload.text === '') delete state.drafts[payload.number];
      else state.drafts[payload.number] = payload.text;
    },
    sendingBegun(state, { payload }: PayloadAction<Click & { number: string }>) {
      const { number, text, key } = payload;
      state.attempts[number] = { text, key, isBusy: true };
    },
    /** Without an answer the same key is tried again; with one the attempt is over. */
    sendingEnded(
      state,
      { payload }: PayloadAction<{ number: string; isAnswered: boolean; isTaken: boolean }>,
    ) {
      const attempt = state.attempts[payload.number];
      if (attempt) attempt.isBusy = false;
      if (payload.isAnswered) delete state.attempts[payload.number];
      if (payload.isTaken) delete state.drafts[payload.number];
    },
    conversationOpened(state, { payload }: PayloadAction<string>) {
      state.open = payload;
    },
    conversationClosed(state, { payload }: PayloadAction<Pair>) {
      if (state.open === payload.to) state.open = null;
      // Opened again it is read again, which the server takes for reading.
      histories.invalidate(state, keyOf(payload));
    },
    /** A message is new or has changed, here or elsewhere. */
    messageHeard(state, { payload }: PayloadAction<Heard>) {
      const { own, message } = payload;
      const to = otherEnd(message, own);
      const held = state.histories[keyOf({ from: own, to })]?.data;
      const isNew = !held?.some(({ id }) => id === message.id);
      histories.apply(state, { ...payload, isNew });
      conversations.apply(state, { ...payload, isNew });
      if (changesConsent(message)) doubtConsent(state, to);
    },
  },
  extraReducers(builder) {
    conversations.handle(builder);
    histories.handle(builder);
    consents.handle(builder);
    numbers.handle(builder);
    offers.handle(builder);
  },
});

function find(state: MessagesState, number: string): Conversation | undefined {
  return state.conversations[LIST]?.data?.find(({ phoneNumber }) => phoneNumber === number);
}

function isRead({ open, histories: read }: MessagesState, number: string): boolean {
  return (
    open === number &&
    Object.entries(read).some(
      ([key, { data }]) => data !== null && (JSON.parse(key) as Pair).to === number,
    )
  );
}

function sentAt({ lastMessage }: Conversation): string {
  return lastMessage?.dateSent ?? '';
}

/** They said something, or Twilio refused what was sent to them. */
function changesConsent({ status }: TextMessage): boolean {
  return status === 'received' || status === 'failed';
}

function saidLast(messages: readonly TextMessage[]): string | undefined {
  return messages.findLast(changesConsent)?.id;
}

function doubtConsent(state: MessagesState, number: string) {
  consents.invalidate(state, keyOf(number));
}

const NONE: readonly Conversation[] = [];

/** Everyone the user can write to: who was added last, then by the newest message. */
export const selectContacts = createSelector(
  [
    (state: MessagesState) => state.added,
    (state: MessagesState) => state.conversations[LIST]?.data ?? NONE,
  ],
  (added, all): Conversation[] => {
    const fresh = added.map((phoneNumber) => ({
      phoneNumber,
      unread: 0,
      lastMessage: null,
      name: null,
      caseId: null,
    }));
    return [...fresh, ...all];
  },
);

export function unreadOf({ conversations: all }: MessagesState): number {
  return (all[LIST]?.data ?? NONE).reduce((sum, { unread }) => sum + unread, 0);
}

/** What the browser keeps: enough to show the list at once, and all that is nowhere else. */
export function keptMessages({ conversations: all, added, drafts, attempts }: MessagesState) {
  const unanswered = Object.entries(attempts).map(
    ([number, attempt]) => [number, { ...attempt, isBusy: false }] as const,
  );
  const data = all[LIST]?.data;
  return {
    conversations: data ? { [LIST]: keptEntry(data.slice(0, MOST_KEPT)) } : {},
    added,
    drafts,
    attempts: Object.fromEntries(unanswered),
  };
}

export const {
  contactAdded,
  contactForgotten,
  draftWritten,
  sendingBegun,
  sendingEnded,
  conversationOpened,
  conversationClosed,
  messageHeard,
} = slice.actions;
export const messagesReducer = slice.reducer;
