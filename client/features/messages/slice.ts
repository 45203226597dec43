import { createSelector, type PayloadAction } from '@reduxjs/toolkit';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type {
  Consent,
  Conversation,
  NumberOffer,
  RegistrationState,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import {
  type AnswerContext,
  type Entries,
  keptEntry,
  keyOf,
  resource,
} from '../../core/resource.ts';
import { unsentOf } from '../../core/unsent.ts';
import type { KeyedRequest } from '../../core/use-attempt.ts';

/** The two ends of a conversation. */
export type Pair = { from: string; to: string };

type HistoryPage = { messages: TextMessage[]; nextCursor: string | null };

type OwnNumber = { registration: RegistrationState | null; notice: string | null };

/** A message from or to the user's number. */
type ReceivedText = {
  own: string;
  message: TextMessage;
  /** Whether the page is visible, so that its open conversation counts as read. */
  isSeen: boolean;
};
/** With whether the message was new on arrival, since the same event may be applied twice. */
type ArrivedText = ReceivedText & { isNew: boolean };

type Attempt = KeyedRequest & { isBusy: boolean };

/**
 * The `messages` store. No history is stored in the browser, but the added contacts and the unsent
 * texts are.
 */
export type MessagesState = {
  /** All conversations, as a single entry. */
  conversations: Entries<Conversation[], ArrivedText>;
  /** The loaded end of each conversation, oldest message first, by its pair. */
  histories: Entries<TextMessage[], ArrivedText>;
  /** The latest opt-in or opt-out, by number. */
  consents: Entries<{ consent: Consent | null }>;
  /** The state of the user's own number. */
  numbers: Entries<OwnNumber>;
  /** Numbers for sale, by area code. */
  offers: Entries<NumberOffer[]>;
  /** Added numbers without messages, latest first. */
  added: string[];
  /** The names of added numbers, as far as they are known. */
  names: Record<string, string>;
  drafts: Record<string, string>;
  /** Unanswered attempts to send, with the key that keeps a retry from sending a second text. */
  attempts: Record<string, Attempt>;
  /** The number of the open conversation. */
  open: string | null;
  /** The latest text that arrived there before the user's eyes, which the server does not know. */
  seen: string | null;
};

declare module '../../core/store.ts' {
  interface RootState {
    messages: MessagesState;
  }
}

export const ALL = 'all';
const LIST = keyOf(ALL);
const MAX_KEPT = 200;

/** The state beside the resources. */
const own: Omit<MessagesState, 'conversations' | 'histories' | 'consents' | 'numbers' | 'offers'> =
  {
    added: [],
    names: {},
    drafts: {},
    attempts: {},
    open: null,
    seen: null,
  };

export const conversations = resource({
  kept: 1,
  take(state: MessagesState, { answer }: AnswerContext<string, Conversation[], Conversation[]>) {
    const known = new Set(answer.map(({ phoneNumber }) => phoneNumber));
    state.added = state.added.filter((number) => !known.has(number));
    const data = answer
      // The list may have been fetched before the open conversation was read.
      .map((item) => (isRead(state, item.phoneNumber) ? { ...item, unread: 0 } : item))
      .toSorted((a, b) => sentAt(b).localeCompare(sentAt(a)));
    return { data, cursor: null };
  },
  apply(state: MessagesState, { data }, { own, message, isSeen, isNew }: ArrivedText) {
    const number = otherEnd(message, own);
    const conversation = data.find(({ phoneNumber }) => phoneNumber === number);
    const last = conversation?.lastMessage;
    const isLatest = !last || message.dateSent >= last.dateSent;
    const isReceived = message.status === 'received' && isNew;
    if (!conversation || (isReceived && !isLatest)) {
      // Only the server knows whose number it is, or whether the message is already counted.
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

export const histories = resource({
  kept: 12,
  take(
    state: MessagesState,
    { query, answer, held, isMore }: AnswerContext<Pair, HistoryPage, TextMessage[]>,
  ) {
    const merged = mergePage(
      held && { messages: held.data, nextCursor: held.cursor },
      answer,
      isMore,
    );
    if (!isMore) {
      const conversation = find(state, query.to);
      if (conversation) conversation.unread = 0;
      if (saidLast(merged.messages) !== saidLast(held?.data ?? []))
        invalidateConsent(state, query.to);
    }
    return { data: merged.messages, cursor: merged.nextCursor };
  },
  apply: (_state, { query, data }, { own, message }: ArrivedText) =>
    otherEnd(message, own) === query.to ? insertMessage(data, message) : data,
});

export const consents = resource<string, { consent: Consent | null }>({
  kept: 12,
});

export const numbers = resource<string, OwnNumber>({
  kept: 0,
});

export const offers = resource<string, NumberOffer[]>({
  kept: 0,
});

const slice = featureSlice(
  'messages',
  { conversations, histories, consents, numbers, offers },
  {
    state: own,
    on: {
      contactAdded(state, { payload }: PayloadAction<string>) {
        if (!find(state, payload))
          state.added = [payload, ...state.added.filter((number) => number !== payload)];
      },
      contactForgotten(state, { payload }: PayloadAction<string>) {
        state.added = state.added.filter((number) => number !== payload);
        delete state.names[payload];
        delete state.drafts[payload];
      },
      contactNamed(state, { payload }: PayloadAction<{ number: string; name: string }>) {
        state.names[payload.number] = payload.name;
      },
      draftWritten(state, { payload }: PayloadAction<{ number: string; text: string }>) {
        if (payload.text === '') delete state.drafts[payload.number];
        else state.drafts[payload.number] = payload.text;
      },
      sendingBegun(state, { payload }: PayloadAction<KeyedRequest & { number: string }>) {
        const { number, text, key } = payload;
        state.attempts[number] = { text, key, isBusy: true };
      },
      /** Without an answer, a retry uses the same key; an answer ends the attempt. */
      sendingEnded(
        state,
        { payload }: PayloadAction<{ number: string; isAnswered: boolean; isTaken: boolean }>,
      ) {
        const attempt = state.attempts[payload.number];
        if (attempt) attempt.isBusy = false;
        if (payload.isAnswered) delete state.attempts[payload.number];
        if (!payload.isTaken) return;
        // Typing goes on until the sending has begun.
        const rest = unsentOf(state.drafts[payload.number] ?? '', attempt?.text ?? '');
        if (rest === '') delete state.drafts[payload.number];
        else state.drafts[payload.number] = rest;
      },
      conversationOpened(state, { payload }: PayloadAction<string>) {
        state.open = payload;
        state.seen = null;
      },
      conversationClosed(state, { payload }: PayloadAction<Pair>) {
        if (state.open === payload.to) state.open = null;
        state.seen = null;
        // Reopening must fetch it again, since the server then marks it as read.
        histories.invalidate(state, keyOf(payload));
      },
      /** A message is new or has changed, in this browser or elsewhere. */
      messageReceived(state, { payload }: PayloadAction<ReceivedText>) {
        const { own, message, isSeen } = payload;
        const to = otherEnd(message, own);
        const held = state.histories[keyOf({ from: own, to })]?.data;
        const isNew = !held?.some(({ id }) => id === message.id);
        if (isSeen && isNew && message.status === 'received' && state.open === to)
          state.seen = message.id;
        histories.apply(state, { ...payload, isNew });
        conversations.apply(state, { ...payload, isNew });
        if (changesConsent(message)) invalidateConsent(state, to);
      },
    },
  },
);

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

/** Whether the contact replied, or Twilio rejected a text to them. */
function changesConsent({ status }: TextMessage): boolean {
  return status === 'received' || status === 'failed';
}

function saidLast(messages: readonly TextMessage[]): string | undefined {
  return messages.findLast(changesConsent)?.id;
}

function invalidateConsent(state: MessagesState, number: string) {
  consents.invalidate(state, keyOf(number));
}

const NONE: readonly Conversation[] = [];

/** All contacts: the latest added first, then by the latest message. */
export const selectContacts = createSelector(
  [
    (state: MessagesState) => state.added,
    (state: MessagesState) => state.names,
    (state: MessagesState) => state.conversations[LIST]?.data ?? NONE,
  ],
  (added, names, all): Conversation[] => {
    const fresh = added.map((number) => withoutTexts(number, names));
    return [...fresh, ...all];
  },
);

export function unreadOf({ conversations: all }: MessagesState): number {
  return (all[LIST]?.data ?? NONE).reduce((sum, { unread }) => sum + unread, 0);
}

/** State that is stored in the browser: enough to show the list at once, and everything not on the server. */
export function keptMessages(state: MessagesState) {
  const { conversations: all, added, names, drafts, attempts } = state;
  const unanswered = Object.entries(attempts).map(
    ([number, attempt]) => [number, { ...attempt, isBusy: false }] as const,
  );
  const data = all[LIST]?.data;
  return {
    conversations: data ? { [LIST]: keptEntry(data.slice(0, MAX_KEPT)) } : {},
    added,
    names,
    drafts,
    attempts: Object.fromEntries(unanswered),
  };
}

export const {
  contactAdded,
  contactForgotten,
  contactNamed,
  draftWritten,
  sendingBegun,
  sendingEnded,
  conversationOpened,
  conversationClosed,
  messageReceived,
} = slice.actions;
export const messagesReducer = slice.reducer;

/** All conversations. Separate from `api.ts`, which a user without a number never loads. */
export const conversationList = conversations.fetchedBy(async (_query: string, fetching) =>
  (await import('./api.ts')).listConversations(fetching),
);

// `unknown` comes before `sent`, so that a confirmation replaces it.
const steps: Partial<Record<MessageStatus, number>> = {
  queued: 1,
  sending: 2,
  unknown: 2,
  sent: 3,
};
const LAST_STEP = 4;

/** The later of two versions of a message, since a socket event may overtake a reply. */
export function laterOf(held: TextMessage, received: TextMessage): TextMessage {
  if (held.status === 'unknown') return received;
  const step = ({ status }: TextMessage) => steps[status] ?? LAST_STEP;
  return step(received) < step(held) ? held : received;
}

/** The number of the contact. */
function otherEnd({ from, to }: TextMessage, own: string): string {
  return from === own ? to : from;
}

/** Inserts or updates a message in order of time; among equal times, the new message comes last. */
function insertMessage(held: readonly TextMessage[], message: TextMessage): TextMessage[] {
  const at = held.findLastIndex(({ id }) => id === message.id);
  const same = held[at];
  if (same) return held.with(at, laterOf(same, message));
  const after = held.findLastIndex(({ dateSent }) => dateSent <= message.dateSent);
  return held.toSpliced(after + 1, 0, message);
}

type Page = { messages: TextMessage[]; nextCursor: string | null };

/** Merges the latest page, or a page of earlier messages, into a history. */
function mergePage(held: Page | null, page: Page, isMore: boolean): Page {
  const ids = new Set(held?.messages.map(({ id }) => id));
  const fresh = page.messages.filter(({ id }) => !ids.has(id));
  if (held && isMore)
    return { messages: [...fresh, ...held.messages], nextCursor: page.nextCursor };
  // Without a message in common, others may be missing between the two.
  if (!held || fresh.length === page.messages.length) return page;
  return { ...held, messages: page.messages.reduce(insertMessage, held.messages) };
}

/** A contact before the first text. */
export function withoutTexts(
  phoneNumber: string,
  names: Readonly<Record<string, string>>,
): Conversation {
  const name = names[phoneNumber] ?? null;
  return { phoneNumber, unread: 0, lastMessage: null, name, caseId: null };
}
