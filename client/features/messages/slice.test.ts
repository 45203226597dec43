import { expect, test } from 'vitest';
import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { keyOf } from '../../core/resource.ts';
import {
  ALL,
  consents,
  contactAdded,
  conversationClosed,
  conversationOpened,
  conversations,
  draftWritten,
  histories,
  keptMessages,
  messageReceived,
  messagesReducer,
  type MessagesState,
  selectContacts,
  sendingBegun,
  sendingEnded,
  unreadOf,
} from './slice.ts';

const own = '+12125550199';
const ngozi = '+12125550111';
const hollis = '+12125550112';

test('the store of texts moves a conversation with a new message to the top and counts it as unread', () => {
  let state = listed(conversation(ngozi, 10), conversation(hollis, 5));
  state = messagesReducer(state, receive(received('new', hollis, 20)));
  expect(numbers(state)).toEqual([hollis, ngozi]);
  expect(unreadOf(state)).toBe(1);
});

test('the store of texts counts a message received twice only once', () => {
  let state = listed(conversation(ngozi, 10));
  state = messagesReducer(state, receive(received('new', ngozi, 20)));
  state = messagesReducer(state, receive(received('new', ngozi, 20)));
  expect(unreadOf(state)).toBe(1);
});

test('the store of texts marks messages in the open conversation as read, unless the page is hidden', () => {
  let state = messagesReducer(listed(conversation(ngozi, 10)), conversationOpened(ngozi));
  state = messagesReducer(state, receive(received('seen', ngozi, 20)));
  expect(unreadOf(state)).toBe(0);
  expect(state.seen).toBe('seen');
  const away = { ...receive(received('unseen', ngozi, 30)).payload, isSeen: false };
  state = messagesReducer(state, messageReceived(away));
  expect(unreadOf(state)).toBe(1);
  expect(state.seen).toBe('seen');
});

test('the store of texts marks the list stale, without changing it, on a message from an unknown number', () => {
  const state = messagesReducer(listed(), receive(received('new', hollis, 20)));
  expect(list(state)).toMatchObject({ stale: true, data: [] });
});

test('the store of texts leaves the unread count of a delayed older message to the server', () => {
  const state = messagesReducer(listed(conversation(ngozi, 10)), receive(received('x', ngozi, 5)));
  expect(list(state).stale).toBe(true);
  expect(unreadOf(state)).toBe(0);
});

test('the store of texts keeps a newer status when an older reply arrives after it', () => {
  let state = opened([received('first', ngozi, 1)]);
  const message = { ...received('mine', ngozi, 5), from: own, to: ngozi };
  state = messagesReducer(state, receive({ ...message, status: 'delivered' }));
  state = messagesReducer(state, receive({ ...message, status: 'queued' }));
  expect(state.histories[PAIR]?.data?.map(({ status }) => status)).toEqual([
    'received',
    'delivered',
  ]);
});

test('the store of texts sorts messages that arrive out of order', () => {
  let state = opened([received('b', ngozi, 2)]);
  state = messagesReducer(state, receive(received('c', ngozi, 3)));
  state = messagesReducer(state, receive(received('a', ngozi, 1)));
  expect(ids(state)).toEqual(['a', 'b', 'c']);
});

test('the store of texts replaces the history with a page that does not overlap it, keeping messages that arrived meanwhile', () => {
  let state = opened([received('old', ngozi, 1)]);
  state = begin(state, PAIR);
  state = messagesReducer(state, receive(received('newest', ngozi, 90)));
  state = answered(state, { messages: [received('x', ngozi, 50)], nextCursor: 'before x' });
  expect(ids(state)).toEqual(['x', 'newest']);
  expect(state.histories[PAIR]?.cursor).toBe('before x');
});

test('the store of texts puts earlier messages before the loaded messages, each once', () => {
  let state = opened([received('b', ngozi, 2)], 'before b');
  const messages = [received('a', ngozi, 1), received('b', ngozi, 2)];
  state = answered(state, { messages, nextCursor: null }, 'before b');
  state = answered(state, { messages, nextCursor: null }, 'before b');
  expect(ids(state)).toEqual(['a', 'b']);
});

test('the store of texts refetches a closed conversation when it opens again', () => {
  const state = opened([received('a', ngozi, 1)]);
  const closed = messagesReducer(state, conversationClosed({ from: own, to: ngozi }));
  expect(closed.histories[PAIR]?.stale).toBe(true);
});

test('the store of texts marks consent stale when a message may have changed it', () => {
  const key = keyOf(ngozi);
  let state = messagesReducer(listed(), consents.step({ kind: 'begun', key, isMore: false }));
  const answer = { consent: null };
  state = messagesReducer(state, consents.step({ kind: 'answered', key, after: null, answer }));
  const sent = { ...received('mine', ngozi, 5), from: own, to: ngozi, status: 'sent' as const };
  expect(messagesReducer(state, receive(sent)).consents[key]?.stale).toBe(false);
  const rejected = { ...sent, status: 'failed' as const };
  expect(messagesReducer(state, receive(rejected)).consents[key]?.stale).toBe(true);
});

test('the store of texts lists an added number first until it has a conversation', () => {
  let state = messagesReducer(listed(conversation(ngozi, 10)), contactAdded(hollis));
  state = messagesReducer(state, contactAdded(ngozi));
  expect(numbers(state)).toEqual([hollis, ngozi]);
  state = listed(conversation(hollis, 5), state);
  expect(numbers(state)).toEqual([hollis]);
});

test('the store of texts keeps a received message when an older list arrives', () => {
  let state = listed(conversation(ngozi, 10));
  state = begin(state, LIST);
  state = messagesReducer(state, receive(received('new', ngozi, 20)));
  state = messagesReducer(state, answerList(conversation(ngozi, 10)));
  expect(list(state).data?.[0]).toMatchObject({ unread: 1, lastMessage: { id: 'new' } });
});

test('the store of texts does not count a received message again when the list already includes it', () => {
  let state = begin(listed(conversation(ngozi, 10)), LIST);
  const message = received('new', ngozi, 20);
  state = messagesReducer(state, receive(message));
  const counted = { ...conversation(ngozi, 20), unread: 1, lastMessage: message };
  expect(unreadOf(messagesReducer(state, answerList(counted)))).toBe(1);
});

test('the store of texts stores unsent texts in the browser, but no histories', () => {
  let state = opened([received('a', ngozi, 1)]);
  state = messagesReducer(state, draftWritten({ number: ngozi, text: 'Dear' }));
  state = messagesReducer(state, sendingBegun({ number: ngozi, text: 'Dear', key: 'k' }));
  expect(keptMessages(state)).toEqual({
    conversations: { [LIST]: { ...list(state), stale: true } },
    added: [],
    names: {},
    drafts: { [ngozi]: 'Dear' },
    attempts: { [ngozi]: { text: 'Dear', key: 'k', isBusy: false } },
  });
  state = messagesReducer(state, draftWritten({ number: ngozi, text: '' }));
  expect(state.drafts).toEqual({});
});

test('the store of texts keeps the key of an unanswered attempt and drops it after an answer', () => {
  const begun = { number: ngozi, text: 'Dear', key: 'k' };
  let state = messagesReducer(listed(), sendingBegun(begun));
  state = messagesReducer(
    state,
    sendingEnded({ number: ngozi, isAnswered: false, isTaken: false }),
  );
  expect(state.attempts[ngozi]).toEqual({ text: 'Dear', key: 'k', isBusy: false });
  state = messagesReducer(state, sendingEnded({ number: ngozi, isAnswered: true, isTaken: true }));
  expect(state.attempts).toEqual({});
});

test('the store of texts keeps what was typed before the sending of another text began', () => {
  let state = messagesReducer(listed(), draftWritten({ number: ngozi, text: 'Dear\nOne more' }));
  state = messagesReducer(state, sendingBegun({ number: ngozi, text: 'Dear', key: 'k' }));
  state = messagesReducer(state, sendingEnded({ number: ngozi, isAnswered: true, isTaken: true }));
  expect(state.drafts).toEqual({ [ngozi]: 'One more' });
  state = messagesReducer(state, sendingBegun({ number: ngozi, text: 'One more', key: 'l' }));
  state = messagesReducer(state, sendingEnded({ number: ngozi, isAnswered: true, isTaken: true }));
  expect(state.drafts).toEqual({});
});

const LIST = keyOf(ALL);
const PAIR = keyOf({ from: own, to: ngozi });

function listed(...given: (Conversation | MessagesState)[]): MessagesState {
  const before = given.find((item) => 'drafts' in item);
  const all = given.filter((item) => 'phoneNumber' in item);
  return messagesReducer(begin(before, LIST), answerList(...all));
}

function answerList(...answer: Conversation[]) {
  return conversations.step({ kind: 'answered', key: LIST, after: null, answer });
}

function begin(state: MessagesState | undefined, key: string): MessagesState {
  const resource = key === LIST ? conversations : histories;
  return messagesReducer(state, resource.step({ kind: 'begun', key, isMore: false }));
}

type Page = { messages: TextMessage[]; nextCursor: string | null };

function answered(state: MessagesState, answer: Page, after: string | null = null) {
  return messagesReducer(state, histories.step({ kind: 'answered', key: PAIR, after, answer }));
}

function opened(messages: TextMessage[], nextCursor: string | null = null): MessagesState {
  return answered(begin(listed(conversation(ngozi, 0)), PAIR), { messages, nextCursor });
}

function list(state: MessagesState) {
  const entry = state.conversations[LIST];
  if (!entry) throw new Error('The list was not read');
  return entry;
}

function ids(state: MessagesState) {
  return state.histories[PAIR]?.data?.map(({ id }) => id);
}

function numbers(state: MessagesState) {
  return selectContacts(state).map(({ phoneNumber }) => phoneNumber);
}

function receive(message: TextMessage) {
  return messageReceived({ own, message, isSeen: true });
}

function conversation(phoneNumber: string, minute: number): Conversation {
  const lastMessage = received(`last of ${phoneNumber}`, phoneNumber, minute);
  return { phoneNumber, unread: 0, lastMessage, name: null, caseId: null };
}

function received(id: string, from: string, minute: number): TextMessage {
  const dateSent = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  return { id, from, to: own, body: id, dateSent, status: 'received', error: null, media: [] };
}
