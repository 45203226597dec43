import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';
import { expect, test } from 'vitest';
import {
  contactAdded,
  conversationOpened,
  conversationsCame,
  draftWritten,
  earlierCame,
  historyAsked,
  historyCame,
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
  expect(state.conversations.map(({ phoneNumber }) => phoneNumber)).toEqual([hollis, ngozi]);
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

test('a stranger’s message leaves the list to the server', () => {
  const state = messagesReducer(listed(), heard(received('new', hollis, 20)));
  expect(state.doubts).toBe(1);
  expect(state.conversations).toEqual([]);
});

test('a reply that was overtaken by its status stays where the status put it', () => {
  let state = opened([received('first', ngozi, 1)]);
  const message = { ...received('mine', ngozi, 5), from: own, to: ngozi };
  state = messagesReducer(state, heard({ ...message, status: 'delivered' }));
  state = messagesReducer(state, heard({ ...message, status: 'queued' }));
  expect(state.histories[ngozi]?.messages.map(({ status }) => status)).toEqual([
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

test('a page that does not meet what is held replaces it, but for what is newer still', () => {
  let state = opened([received('old', ngozi, 1)]);
  state = messagesReducer(state, heard(received('newest', ngozi, 90)));
  const page = { number: ngozi, messages: [received('x', ngozi, 50)], nextCursor: 'before x' };
  state = messagesReducer(state, historyCame(page));
  expect(ids(state)).toEqual(['x', 'newest']);
  expect(state.histories[ngozi]?.nextCursor).toBe('before x');
});

test('earlier messages come before those that are held, once', () => {
  let state = opened([received('b', ngozi, 2)], 'before b');
  const earlier = { number: ngozi, after: 'before b', nextCursor: null };
  const messages = [received('a', ngozi, 1), received('b', ngozi, 2)];
  state = messagesReducer(state, earlierCame({ ...earlier, messages }));
  state = messagesReducer(state, earlierCame({ ...earlier, messages }));
  expect(ids(state)).toEqual(['a', 'b']);
});

test('an added number stands first until it has a conversation', () => {
  let state = messagesReducer(listed(conversation(ngozi, 10)), contactAdded(hollis));
  state = messagesReducer(state, contactAdded(ngozi));
  expect(numbers(state)).toEqual([hollis, ngozi]);
  state = messagesReducer(state, conversationsCame([conversation(hollis, 5)]));
  expect(numbers(state)).toEqual([hollis]);
});

test('a list that is older than what was heard does not take it back', () => {
  let state = listed(conversation(ngozi, 10));
  state = messagesReducer(state, heard(received('new', ngozi, 20)));
  state = messagesReducer(state, conversationsCame([conversation(ngozi, 10)]));
  expect(state.conversations[0]?.lastMessage?.id).toBe('new');
});

test('no browser keeps histories, and every browser what was not sent', () => {
  let state = opened([received('a', ngozi, 1)]);
  state = messagesReducer(state, draftWritten({ number: ngozi, text: 'Dear' }));
  state = messagesReducer(state, sendingBegun({ number: ngozi, text: 'Dear', key: 'k' }));
  expect(keptMessages(state)).toEqual({
    conversations: state.conversations,
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

function listed(...conversations: Conversation[]): MessagesState {
  return messagesReducer(undefined, conversationsCame(conversations));
}

function opened(messages: TextMessage[], nextCursor: string | null = null): MessagesState {
  const asked = messagesReducer(listed(conversation(ngozi, 0)), historyAsked(ngozi));
  return messagesReducer(asked, historyCame({ number: ngozi, messages, nextCursor }));
}

function ids(state: MessagesState) {
  return state.histories[ngozi]?.messages.map(({ id }) => id);
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
