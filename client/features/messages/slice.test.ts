import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { expect, test } from 'vitest';
import { keyOf } from '../../core/entries.ts';
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
  messageHeard,
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

test('a new message moves its conversation to the top and counts as unread', () => {
  let state = listed(conversation(ngozi, 10), conversation(hollis, 5));
  state = messagesReducer(state, heard(received('new', hollis, 20)));
  expect(numbers(state)).toEqual([hollis, ngozi]);
  expect(unreadOf(state)).toBe(1);
});

test('what is heard twice counts once', () => {
  let state = listed(conversation(ngozi, 10));
  state = messagesReducer(state, heard(received('new', ngozi, 20)));
  state = messagesReducer(state, heard(received('new', ngozi, 20)));
  expect(unreadOf(state)).toBe(1);
});

test('what is heard in the open conversation is read, unless nobody is before the screen', () => {
  let state = messagesReducer(listed(conversation(ngozi, 10)), conversationOpened(ngozi));
  state = messagesReducer(state, heard(received('seen', ngozi, 20)));
  expect(unreadOf(state)).toBe(0);
  const away = { ...heard(received('unseen', ngozi, 30)).payload, isSeen: false };
  state = messagesReducer(state, messageHeard(away));
  expect(unreadOf(state)).toBe(1);
});

test('a stranger’s message makes the list stale and changes nothing', () => {
  const state = messagesReducer(listed(), heard(received('new', hollis, 20)));
  expect(list(state)).toMatchObject({ stale: true, data: [] });
});

test('an older message that arrives late leaves its count to the server', () => {
  const state = messagesReducer(listed(conversation(ngozi, 10)), heard(received('x', ngozi, 5)));
  expect(list(state).stale).toBe(true);
  expect(unreadOf(state)).toBe(0);
});

test('a reply that was overtaken by its status stays where the status put it', () => {
  let state = opened([received('first', ngozi, 1)]);
  const message = { ...received('mine', ngozi, 5), from: own, to: ngozi };
  state = messagesReducer(state, heard({ ...message, status: 'delivered' }));
  state = messagesReducer(state, heard({ ...message, status: 'queued' }));
  expect(state.histories[PAIR]?.data?.map(({ status }) => status)).toEqual([
    'received',
    'delivered',
  ]);
});

test('messages that come out of order end up in order', () => {
  let state = opened([received('b', ngozi, 2)]);
  state = messagesReducer(state, heard(received('c', ngozi, 3)));
  state = messagesReducer(state, heard(received('a', ngozi, 1)));
  expect(ids(state)).toEqual(['a', 'b', 'c']);
});

test('a page that does not meet what is held replaces it, but for what arrived meanwhile', () => {
  let state = opened([received('old', ngozi, 1)]);
  state = asked(state, PAIR);
  state = messagesReducer(state, heard(received('newest', ngozi, 90)));
  state = answered(state, { messages: [received('x', ngozi, 50)], nextCursor: 'before x' });
  expect(ids(state)).toEqual(['x', 'newest']);
  expect(state.histories[PAIR]?.cursor).toBe('before x');
});

test('earlier messages come before those that are held, once', () => {
  let state = opened([received('b', ngozi, 2)], 'before b');
  const messages = [received('a', ngozi, 1), received('b', ngozi, 2)];
  state = answered(state, { messages, nextCursor: null }, 'before b');
  state = answered(state, { messages, nextCursor: null }, 'before b');
  expect(ids(state)).toEqual(['a', 'b']);
});

test('a conversation that was closed is read again when it is opened', () => {
  const state = opened([received('a', ngozi, 1)]);
  const closed = messagesReducer(state, conversationClosed({ from: own, to: ngozi }));
  expect(closed.histories[PAIR]?.stale).toBe(true);
});

test('what may change a consent makes it stale', () => {
  const key = keyOf(ngozi);
  let state = messagesReducer(listed(), consents.step({ kind: 'begun', key, isMore: false }));
  const answer = { consent: null };
  state = messagesReducer(state, consents.step({ kind: 'answered', key, after: null, answer }));
  const sent = { ...received('mine', ngozi, 5), from: own, to: ngozi, status: 'sent' as const };
  expect(messagesReducer(state, heard(sent)).consents[key]?.stale).toBe(false);
  const refused = { ...sent, status: 'failed' as const };
  expect(messagesReducer(state, heard(refused)).consents[key]?.stale).toBe(true);
});

test('an added number stands first until it has a conversation', () => {
  let state = messagesReducer(listed(conversation(ngozi, 10)), contactAdded(hollis));
  state = messagesReducer(state, contactAdded(ngozi));
  expect(numbers(state)).toEqual([hollis, ngozi]);
  state = listed(conversation(hollis, 5), state);
  expect(numbers(state)).toEqual([hollis]);
});

test('a list that is older than what was heard does not take it back', () => {
  let state = listed(conversation(ngozi, 10));
  state = asked(state, LIST);
  state = messagesReducer(state, heard(received('new', ngozi, 20)));
  state = messagesReducer(state, answerList(conversation(ngozi, 10)));
  expect(list(state).data?.[0]).toMatchObject({ unread: 1, lastMessage: { id: 'new' } });
});

test('a list that has counted what was heard is not counted again', () => {
  let state = asked(listed(conversation(ngozi, 10)), LIST);
  const message = received('new', ngozi, 20);
  state = messagesReducer(state, heard(message));
  const counted = { ...conversation(ngozi, 20), unread: 1, lastMessage: message };
  expect(unreadOf(messagesReducer(state, answerList(counted)))).toBe(1);
});

test('no browser keeps histories, and every browser what was not sent', () => {
  let state = opened([received('a', ngozi, 1)]);
  state = messagesReducer(state, draftWritten({ number: ngozi, text: 'Dear' }));
  state = messagesReducer(state, sendingBegun({ number: ngozi, text: 'Dear', key: 'k' }));
  expect(keptMessages(state)).toEqual({
    conversations: { [LIST]: { ...list(state), stale: true } },
    added: [],
    drafts: { [ngozi]: 'Dear' },
    attempts: { [ngozi]: { text: 'Dear', key: 'k', isBusy: false } },
  });
  state = messagesReducer(state, draftWritten({ number: ngozi, text: '' }));
  expect(state.drafts).toEqual({});
});

test('what was answered is not tried again with its key; what was not keeps it', () => {
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

const LIST = keyOf(ALL);
const PAIR = keyOf({ from: own, to: ngozi });

function listed(...given: (Conversation | MessagesState)[]): MessagesState {
  const before = given.find((one) => 'drafts' in one);
  const all = given.filter((one) => 'phoneNumber' in one);
  return messagesReducer(asked(before, LIST), answerList(...all));
}

function answerList(...answer: Conversation[]) {
  return conversations.step({ kind: 'answered', key: LIST, after: null, answer });
}

function asked(state: MessagesState | undefined, key: string): MessagesState {
  const resource = key === LIST ? conversations : histories;
  return messagesReducer(state, resource.step({ kind: 'begun', key, isMore: false }));
}

type Page = { messages: TextMessage[]; nextCursor: string | null };

function answered(state: MessagesState, answer: Page, after: string | null = null) {
  return messagesReducer(state, histories.step({ kind: 'answered', key: PAIR, after, answer }));
}

function opened(messages: TextMessage[], nextCursor: string | null = null): MessagesState {
  return answered(asked(listed(conversation(ngozi, 0)), PAIR), { messages, nextCursor });
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

function heard(message: TextMessage) {
  return messageHeard({ own, message, isSeen: true });
}

function conversation(phoneNumber: string, minute: number): Conversation {
  const lastMessage = received(`last of ${phoneNumber}`, phoneNumber, minute);
  return { phoneNumber, unread: 0, lastMessage, name: null, caseId: null };
}

function received(id: string, from: string, minute: number): TextMessage {
  const dateSent = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  return { id, from, to: own, body: id, dateSent, status: 'received', error: null, media: [] };
}
